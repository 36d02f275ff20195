"""Steps put together from events, and what a prompt was filled with."""

import pytest

from agents.events import (
    Action,
    Event,
    FinalAnswer,
    FormatSlip,
    Message,
    ModelRequest,
    Observation,
    ReplyDelta,
    RunEnded,
    StepStarted,
    Thought,
)
from agents.plan_and_solve import PlanAndSolve
from agents.react import ReAct
from agents.reflection import Reflection
from components.prompt_parts import prompt_parts
from components.steps import Steps, steps_of
from tests.agents_under_test import TOOLBOX
from tests.scripted_model import ScriptedModel, reply

LOOK_UP = "Thought: I need A.\nAction: Search[height of Tower A]\nObservation: It is 9 m."


def react_events() -> list[Event]:
    model = ScriptedModel(LOOK_UP, "Thought: so\nAction: Finish[300 m]")
    return list(ReAct(model, TOOLBOX).stream("How tall is Tower A?"))


def test_each_step_holds_its_call_and_what_came_of_it() -> None:
    first, second = steps_of(react_events())
    assert (first.number, first.kind, first.calls[0].text) == (1, "react", LOOK_UP)
    assert first.calls[0].response == reply(LOOK_UP)
    assert [type(outcome) for outcome in first.outcomes] == [FormatSlip, Thought, Action, Observation]
    assert [type(outcome) for outcome in second.outcomes] == [Thought, FinalAnswer]


def test_a_step_that_is_going_on_holds_what_has_come_so_far() -> None:
    request = ModelRequest("react", (Message("user", "?"),))
    events: list[Event] = [StepStarted(1, "react", "Step 1"), request]
    events += [ReplyDelta("hm", is_reasoning=True), ReplyDelta("Tho"), ReplyDelta("ught")]
    (step,) = steps_of(events)
    assert (step.calls[0].text, step.calls[0].reasoning, step.calls[0].response) == ("Thought", "hm", None)


def test_a_run_keeps_how_it_began_and_how_it_ended() -> None:
    steps, events = Steps(), react_events()
    for event in events:
        steps.take(event)
    assert (steps.started, steps.ended) == (events[0], RunEnded("answered", "The agent gave its answer."))


def test_the_drafts_before_a_step_are_those_of_earlier_steps() -> None:
    steps = Steps()
    for event in Reflection(ScriptedModel("one", "Verdict: REVISE", "two", "Verdict: APPROVED")).stream("?"):
        steps.take(event)
    assert [steps.drafts_before(position) for position in range(4)] == [[], ["one"], ["one"], ["one", "two"]]


def test_a_plan_asked_for_twice_is_two_steps() -> None:
    model = ScriptedModel("Well.", '["Find A"]', "1", "1")
    steps = steps_of(PlanAndSolve(model).stream("?"))
    assert [(step.number, step.kind) for step in steps] == [(1, "plan"), (2, "plan"), (3, "execute"), (4, "close")]


def test_the_parts_of_a_prompt_are_told_apart() -> None:
    model = ScriptedModel(LOOK_UP, "Thought: so\nAction: Finish[300 m]")
    agent = ReAct(model, TOOLBOX)
    agent.run("How tall is Tower A?")
    first, second = (prompt_parts(request, agent.templates) for request in model.requests)
    assert set(first) == {"instructions", "tools", "question"}
    assert set(second) == {"instructions", "tools", "question", "trajectory"}
    assert second["question"] == first["question"]


@pytest.mark.parametrize("question", ["Why {tools}?", "a.b*c (d) [e]", "one\ntwo"])
def test_a_question_with_special_characters_is_found_whole(question: str) -> None:
    template = "Q: {question} End."
    request = ModelRequest("answer", (Message("user", f"Q: {question} End."),))
    assert set(prompt_parts(request, {"answer": template})) == {"instructions", "question"}


def test_a_text_that_is_no_known_template_counts_as_instructions() -> None:
    request = ModelRequest("answer", (Message("user", "something else"),))
    assert set(prompt_parts(request, {"answer": "Q: {question}"})) == {"instructions"}
