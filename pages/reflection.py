"""The Reflection page."""

from components import frame, paradigm_page

frame.begin("reflection")
paradigm_page.draw("reflection")
