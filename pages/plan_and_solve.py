"""The Plan-and-Solve page."""

from components import frame, paradigm_page

frame.begin("plan_and_solve")
paradigm_page.draw("plan_and_solve")
