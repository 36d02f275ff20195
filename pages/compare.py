"""The comparison page."""

from components import comparison, frame

frame.begin("compare")
comparison.draw()
