"""The prompt lab."""

from components import frame, prompt_lab

frame.begin("prompt_lab")
prompt_lab.draw()
