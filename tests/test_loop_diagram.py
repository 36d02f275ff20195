"""Which state of a loop is lit, and what the drawing consists of."""

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from itertools import groupby

import pytest
from streamlit.testing.v1 import AppTest

from agents.base import Agent
from agents.errors import ModelError
from agents.plan_and_solve import PlanAndSolve
from agents.react import ReAct
from agents.reflection import Reflection
from components.loop_diagram import COLOURS, LOOPS, active_state, diagram
from components.steps import steps_of
from components.texts import say
from tests.agents_under_test import TOOLBOX
from tests.scripted_model import ScriptedModel

LOOK_UP = "Thought: I need A.\nAction: Search[height of Tower A]"
FINISH = "Thought: done.\nAction: Finish[Tower A]"
BACKGROUNDS = ("#ffffff", "#f3f5fa", "#12141a", "#1d212b")


def states(agent: Agent) -> list[str | None]:
    """The states that light up one after another in the agent's run, the last one when it is over."""
    events = list(agent.stream("Which tower is taller?"))
    live = [active_state(agent.name, steps_of(events[:end]), is_over=False) for end in range(len(events))]
    over = active_state(agent.name, steps_of(events), is_over=True)
    return [state for state, _ in groupby([*live, over])]


def test_react_thinks_acts_observes_and_answers() -> None:
    agent = ReAct(ScriptedModel(LOOK_UP, FINISH), TOOLBOX)
    assert states(agent) == ["question", "think", "act", "observe", "think", "answer"]


def test_react_observes_what_was_wrong_with_its_reply() -> None:
    agent = ReAct(ScriptedModel("?", FINISH), TOOLBOX)
    assert states(agent) == ["question", "think", "observe", "think", "answer"]


def test_react_answers_in_its_closing_call() -> None:
    agent = ReAct(ScriptedModel(LOOK_UP, "Tower A."), TOOLBOX, max_steps=1)
    assert states(agent) == ["question", "think", "act", "observe", "answer"]


@pytest.mark.parametrize(
    "agent",
    [
        ReAct(ScriptedModel(LOOK_UP), TOOLBOX, max_steps=1, closes=False),
        ReAct(ScriptedModel(LOOK_UP, ModelError("timeout", "")), TOOLBOX),
        PlanAndSolve(ScriptedModel("no plan", "no plan")),
        PlanAndSolve(ScriptedModel("1. add\n2. say", ModelError("timeout", ""))),
        Reflection(ScriptedModel("draft", ModelError("timeout", ""))),
    ],
    ids=["step limit", "error in ReAct", "no plan", "error in a step", "error in a review"],
)
def test_nothing_is_lit_after_a_run_without_an_answer(agent: Agent) -> None:
    assert states(agent)[-1] is None


def test_plan_and_solve_plans_and_carries_out_step_after_step() -> None:
    agent = PlanAndSolve(ScriptedModel("1. add\n2. say", "3", "three", "It is three."))
    loop = ["carry_out", "result", "carry_out", "result"]
    assert states(agent) == ["question", "plan", *loop, "answer"]


def test_plan_and_solve_without_a_closing_call_answers_with_the_last_result() -> None:
    agent = PlanAndSolve(ScriptedModel("1. add", "3"), closes=False)
    assert states(agent) == ["question", "plan", "carry_out", "result", "answer"]


@pytest.mark.parametrize(
    ("replies", "expected"),
    [
        (["draft", "Fine.\nVerdict: APPROVED"], ["task", "draft", "review", "answer"]),
        (["draft", "Bad.\nVerdict: REVISE", "better"], ["task", "draft", "review", "revise", "answer"]),
    ],
    ids=["approved", "at the round limit"],
)
def test_reflection_drafts_reviews_and_revises(replies: Sequence[str], expected: list[str]) -> None:
    assert states(Reflection(ScriptedModel(*replies), max_rounds=1)) == expected


def drawn(agent: str, active: str | None) -> ET.Element:
    labels = {node.name: f"<{node.name}>" for node in LOOPS[agent].nodes}
    drawing = ET.fromstring(diagram(agent, active, labels, 'Now: "x"')).find("svg")
    assert drawing is not None
    return drawing


@pytest.mark.parametrize("agent", LOOPS)
def test_every_state_has_a_box_and_a_label(agent: str) -> None:
    texts = [text.text for text in drawn(agent, None).iter("text")]
    assert texts == [f"<{node.name}>" for node in LOOPS[agent].nodes]


@pytest.mark.parametrize(("agent", "active"), [(agent, node.name) for agent in LOOPS for node in LOOPS[agent].nodes])
def test_one_box_is_filled_ringed_and_marked(agent: str, active: str) -> None:
    drawing = drawn(agent, active)
    filled = [box for box in drawing.iter("rect") if box.get("fill") != "none"]
    assert [box.get("stroke-width") for box in filled] == ["5"]
    assert [mark.get("fill") for mark in drawing.iter("path")].count("#ffffff") == 1


def test_a_screen_reader_is_told_the_state() -> None:
    drawing = drawn("react", "act")
    assert (drawing.get("role"), drawing.get("aria-label")) == ("img", 'Now: "x"')


def test_the_drawing_is_one_block_of_html() -> None:
    assert "\n\n" not in diagram("react", None, {node.name: "" for node in LOOPS["react"].nodes}, "")


def test_the_pulse_asks_whether_motion_is_wanted() -> None:
    assert "prefers-reduced-motion: no-preference" in diagram("direct", None, {"question": "", "answer": ""}, "")


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("colour", COLOURS.values(), ids=COLOURS)
def test_colours_stand_out_and_carry_white_text(colour: str) -> None:
    assert contrast(colour, "#ffffff") >= 4.5
    assert min(contrast(colour, background) for background in BACKGROUNDS) >= 3


def page() -> None:
    import streamlit as st

    from components.loop_diagram import draw_diagram

    draw_diagram(st.empty(), "react", "think")


@pytest.mark.parametrize(("language", "told"), [("en", "Now: Think."), ("zh", "当前：思考。")])
def test_draws_in_the_language_of_the_session(language: str, told: str) -> None:
    app = AppTest.from_function(page)
    app.session_state["language"] = language
    assert told in app.run().markdown[0].value


@pytest.mark.parametrize("name", [node.name for loop in LOOPS.values() for node in loop.nodes])
def test_every_state_has_a_word(name: str) -> None:
    assert say(f"loop_diagram.{name}")
