"""The ReAct page."""

from components import frame, paradigm_page

frame.begin("react")
paradigm_page.draw("react")
