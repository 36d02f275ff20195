"""The cards of a run, drawn event by event: what is drawn twice before it is sent has to reach the browser whole."""

from collections.abc import Callable, Sequence

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.testing.v1 import AppTest

from agents.base import Agent
from agents.events import Event
from agents.plan_and_solve import PlanAndSolve
from agents.react import ReAct
from agents.reflection import Reflection
from tests.agents_under_test import TOOLBOX
from tests.browser_tree import assert_drawn_whole, recorded_scripts
from tests.scripted_model import ScriptedModel, reply


def react() -> Agent:
    return ReAct(
        ScriptedModel(
            reply("Thought: up\nAction: Search[height of Tower A]", reasoning="Let me see."),
            "Thought: off\nAction: Search[height of Tower B]\nObservation: It is 9 m tall.\nAction: Finish[9]",
            "I do not know.",
            "Action: Oracle[who]",
            "Thought: less\nAction: Calculator[1/0]",
            "Thought: so\nAction: Finish[50]",
        ),
        TOOLBOX,
    )


def plan_and_solve() -> Agent:
    planner = ("no plan at all", '["Find A", "Find B"]')
    return PlanAndSolve(ScriptedModel(*planner, "", "300 m", reply("250 m", reasoning="Hm."), "50 m"))


def reflection() -> Agent:
    code = "```python\ndef add(a, b):\n    return a\n```"
    return Reflection(
        ScriptedModel(code, "It subtracts.\nVerdict: REVISE", code.replace("a\n`", "a + b\n`"), "Verdict: APPROVED")
    )


def _draw(events: "Sequence[Event]", is_narrow: bool) -> None:
    import streamlit as st

    from agents.events import Stamped
    from components.card_column import CardColumn

    column = CardColumn(is_narrow=is_narrow)
    for number, event in enumerate(events, start=1):
        column.take([Stamped(0.0, event)], is_over=number == len(events))
    st.caption("below")


def drawn(agent: Agent, is_narrow: bool = False) -> list[ForwardMsg]:
    """The messages of a page that draws the agent's run after each of its events."""
    with recorded_scripts() as scripts:
        app = AppTest.from_function(_draw, args=(list(agent.stream("How much taller is A?")), is_narrow)).run()
    assert not app.exception
    return scripts[0]


@pytest.mark.parametrize("is_narrow", [False, True])
@pytest.mark.parametrize("agent", [react, plan_and_solve, reflection])
def test_drawings_that_are_sent_at_once_reach_the_browser_whole(agent: Callable[[], Agent], is_narrow: bool) -> None:
    assert_drawn_whole(drawn(agent(), is_narrow), times=200)
