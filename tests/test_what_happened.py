"""What happened in a step, in plain words: over whole runs with a scripted model, and on the page."""

import re
from collections.abc import Iterable
from typing import get_args

import pytest
import streamlit as st

from agents import wording
from agents.base import Agent, Settings
from agents.direct import Direct
from agents.errors import ModelError, Stopped
from agents.events import (
    Action,
    Draft,
    EndReason,
    Event,
    Feedback,
    FinalAnswer,
    FormatSlip,
    ModelResponse,
    Observation,
    Plan,
    RunEnded,
    StepKind,
    StepResult,
    StepStarted,
    Thought,
)
from agents.plan_and_solve import PlanAndSolve
from agents.prompts import load_template, placeholders_in
from agents.react import ReAct
from agents.reflection import Reflection
from components.steps import Steps
from components.texts import LANGUAGES
from components.what_happened import what_happened
from tests.agents_under_test import TOOLBOX
from tests.app_under_test import click, open_page
from tests.scripted_model import ScriptedModel, reply

TEXTS = wording.load("components.texts", "what_happened")
SLIPS = wording.entries("slip")
FAULTS = wording.entries("fault")

LOOK_UP = "Thought: I need A.\nAction: Search[height of Tower A]"
FAIL = "Thought: x\nAction: Calculator[1/0]"
FINISH = "Thought: so\nAction: Finish[300 m]"
REVISE = "Too short.\nVerdict: REVISE"
APPROVE = "Good.\nVerdict: APPROVED"
CODE = "```python\ndef f():\n    return 1\n```"

USED = "The model used Search and was shown what came back."
ANSWERED = "The model decided that it was done and gave its answer."
FAILED = "Calculator could not do what the model asked for; the model was told why."
FAILED_AGAIN = "Calculator failed in the same way again; this time the model was also told how to use it."
ASKED_BEFORE = "The model had asked for exactly the same before."
SAME_CALL = (
    "The model asked Search for exactly the same again (3 times by now), so it was not run once more; "
    "the model was told to try something else."
)
REMINDED = "The model was told so and shown the format again."
NO_FORMAT = "The reply had no format: neither a thought nor an action could be found in it."
NO_ACTION = "The reply had no action in it, so nothing was done."
INVENTED = "The model also made up an observation, which no tool had given; it was cut."
FORM = "The form of the reply was slightly off, and it was read all the same."
CUT_OFF = "The reply reached the limit on its length and was cut off there."
BROKE_OFF = "The reply ended too early; what was there was kept."
FIRST_EMPTY = "The model's first reply was empty, so it was asked again."
NO_LIST = "No list of steps could be found in the reply."
AT_ONCE = "The model answered in a single call, without tools and without a second look."
STOPPED = "The run was stopped here."
FIRST_VERSION = "The model wrote a first version."
NOT_APPROVED = "The model, now in the role of the reviewer, asked for changes to version 1."
SECOND_VERSION = "The model changed its work after the review; this is version 2."
PLANNED = "The model made a plan of 2 steps."

Reply = str | ModelResponse | ModelError | Stopped


@pytest.fixture
def in_chinese(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(st.session_state, "language", "zh")


def steps_from(events: Iterable[Event]) -> Steps:
    steps = Steps()
    for event in events:
        steps.take(event)
    return steps


def told(agent: Agent) -> list[str]:
    """What the cards of a whole run say, step by step."""
    steps = steps_from(agent.stream("?"))
    return [what_happened(steps, position) for position in range(len(steps.steps))]


def react(*replies: Reply, max_steps: int = 6, closes: bool = True) -> list[str]:
    return told(ReAct(ScriptedModel(*replies), TOOLBOX, max_steps=max_steps, closes=closes))


def plan_and_solve(*replies: Reply, closes: bool = True, max_steps: int = 8, executes: bool = True) -> list[str]:
    model = ScriptedModel(*replies)
    return told(PlanAndSolve(model, max_steps=max_steps, closes=closes, executes=executes))


def reflection(*replies: Reply, writer: str = "default", max_rounds: int = 3, reviews: bool = True) -> list[str]:
    templates = {"writer": load_template("reflection", "writer", writer)}
    return told(Reflection(ScriptedModel(*replies), templates, max_rounds=max_rounds, reviews=reviews))


def of_step(kind: StepKind, *outcomes: Event) -> str:
    """What the card of a finished step with these outcomes says."""
    return what_happened(steps_from([StepStarted(1, kind, "A step"), *outcomes, StepStarted(2, "close", "")]), 0)


def test_a_react_run_reads_as_a_story() -> None:
    assert react(LOOK_UP, FAIL, FAIL, "Thought: x\nAction: Divide[1, 2]", FINISH) == [
        USED,
        FAILED,
        f"{FAILED_AGAIN} {ASKED_BEFORE}",
        "The model asked for a tool that does not exist (Divide); it was told which ones do.",
        ANSWERED,
    ]


def test_the_same_call_a_third_time_is_not_run_again() -> None:
    assert react(LOOK_UP, LOOK_UP, LOOK_UP, FINISH) == [USED, f"{USED} {ASKED_BEFORE}", SAME_CALL, ANSWERED]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Tower A is 300 m.", NO_FORMAT),
        ("Thought: Let me see.", NO_ACTION),
        ("Thought: x\nAction: None", "The model said that there was nothing to do, but gave no answer."),
        ("Thought: x\nAction: Search[]", "The model named an action but filled nothing in."),
        ("Action: ???", "The model wrote an action that could not be understood."),
        ("", "The model replied with nothing."),
        (
            "Thought: x\nAction: Finish[the answer]",
            "Where the answer belongs, the model copied the placeholder from its instructions.",
        ),
        (
            "<think>I should search",
            "The model only reasoned to itself, and its reply ended before it said anything else.",
        ),
    ],
)
def test_a_reply_that_could_not_be_read_says_why_and_what_was_done(text: str, said: str) -> None:
    assert react(text, FINISH)[0] == f"{said} {REMINDED}"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            f"{LOOK_UP}\nThought: more\nAction: Search[B]",
            "The reply had several actions in it; only the first one counts.",
        ),
        (f"{LOOK_UP}\nThat should do.", "What the model wrote after its action was cut."),
        (f"{LOOK_UP}\nObservation: It is 9 m.\n{FINISH}", INVENTED),
        ("Action: Search[height of Tower A]", "The model wrote down no thought first."),
        ('Thought: x\nAction: Search("height of Tower A")', FORM),
        (reply(LOOK_UP, "length"), CUT_OFF),
        (
            f"<think>Hm.</think>{LOOK_UP}",
            "The reasoning in the reply was set aside before it was read.",
        ),
    ],
)
def test_what_was_odd_about_a_reply_follows_what_came_of_it(text: str | ModelResponse, said: str) -> None:
    assert react(text, FINISH)[0] == f"{USED} {said}"


def test_an_invented_observation_without_an_action_is_said_too() -> None:
    assert react("Thought: x\nObservation: It is 9 m.", FINISH)[0] == f"{NO_ACTION} {REMINDED} {INVENTED}"


def test_reasoning_that_came_apart_from_the_reply_counts_as_a_thought() -> None:
    assert react(reply("Action: Search[height of Tower A]", reasoning="I need A."), FINISH)[0] == USED


def test_three_sentences_are_the_most() -> None:
    text = f'Action: Search("A")\nObservation: 9\n{FINISH}'
    assert react(reply(text, "length"), FINISH)[0] == f"{USED} {CUT_OFF} {INVENTED}"


@pytest.mark.parametrize(
    ("replies", "said"),
    [
        ([FINISH], "The model gave its answer without a result from any tool."),
        ([FAIL, FINISH], "The model gave its answer without a result from any tool."),
        ([LOOK_UP, FINISH], ANSWERED),
        ([LOOK_UP, reply("Thought: x\nAction: Finish[300", "length")], f"{ANSWERED} {CUT_OFF} {FORM}"),
        ([LOOK_UP, "Thought: x\nAction: Finish[300"], f"{ANSWERED} {BROKE_OFF} {FORM}"),
    ],
)
def test_an_answer_says_what_it_rests_on(replies: list[Reply], said: str) -> None:
    assert react(*replies)[-1] == said


def test_at_the_step_limit_the_closing_call_says_why_it_was_made() -> None:
    closing = "No steps were left, so the model was asked for its best answer from what it had seen so far."
    assert react(LOOK_UP, "300 m", max_steps=1) == [USED, closing]


def test_at_the_step_limit_without_a_closing_call_the_last_step_says_so() -> None:
    ending = "No steps were left, so the run ended without an answer."
    assert react(LOOK_UP, max_steps=1, closes=False) == [f"{USED} {ending}"]


def test_an_unformatted_reply_in_the_last_step_is_the_answer() -> None:
    said = "In the last step that it had, the model's reply had no format, so all of it was taken as the answer."
    assert react("The answer is 42.", max_steps=1) == [said]


def test_a_run_without_tools_says_so_where_one_is_asked_for() -> None:
    agent = ReAct(ScriptedModel(LOOK_UP, FINISH), TOOLBOX.without("Search", "Calculator"))
    assert told(agent)[0] == "The model asked for a tool (Search), but this run has none; it was told so."


def test_a_name_that_a_model_invented_is_shown_as_text() -> None:
    agent = ReAct(ScriptedModel("Thought: x\nAction: a__b__[1]", FINISH), TOOLBOX)
    assert r"(a\_\_b\_\_)" in told(agent)[0]


def test_a_plan_and_solve_run_reads_as_a_story() -> None:
    assert plan_and_solve('["Find A", "Find B"]', "1", "2", "Both.") == [
        PLANNED,
        "The model carried out step 1 of 2 of the plan.",
        "The model carried out step 2 of 2 of the plan.",
        "All steps of the plan were done, so the model answered the question from their results.",
    ]


def test_without_a_closing_call_the_last_result_is_the_answer() -> None:
    assert plan_and_solve('["Find A"]', "1", closes=False) == [
        "The model made a plan of a single step.",
        "The model carried out step 1 of 1 of the plan. No closing call was to follow, so this result is the answer.",
    ]


def test_a_plan_that_nobody_carries_out_is_all_that_the_answer_rests_on() -> None:
    said = "No step of the plan was carried out; the model answered the question from the plan alone."
    assert plan_and_solve('["Find A", "Find B"]', "Both.", executes=False) == [PLANNED, said]


def test_a_plan_that_cannot_be_read_is_asked_for_again() -> None:
    said = f"{NO_LIST} The model was told so and asked for the plan again."
    assert plan_and_solve("Well.", '["Find A", "Find B"]', "1", "2", "Both.")[:2] == [said, PLANNED]


def test_a_second_plan_that_cannot_be_read_ends_the_run() -> None:
    ending = "The second try failed as well, so the run ended without an answer."
    assert plan_and_solve("Well.", "Well.")[-1] == f"{NO_LIST} {ending}"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('["a", "b", "c"]', "The plan was longer than allowed, so the steps at its end were dropped."),
        ('["a", "b", 3]', "What was no step in the list was left out."),
        ("1. Find A\n2. Find B", FORM),
        ('["Find A", "Find B", "Com', BROKE_OFF),
    ],
)
def test_a_plan_that_had_to_be_mended_says_how(text: str, said: str) -> None:
    assert plan_and_solve(text, "1", "2", "Both.", max_steps=2)[0] == f"{PLANNED} {said}"


def test_an_empty_reply_that_was_asked_for_again_is_said_first() -> None:
    said = plan_and_solve('["Find A"]', " ", "1", "One.")[1]
    assert said == f"{FIRST_EMPTY} The model carried out step 1 of 1 of the plan."


def test_a_reflection_run_reads_as_a_story() -> None:
    assert reflection("one", REVISE, "two", APPROVE) == [
        FIRST_VERSION,
        NOT_APPROVED,
        SECOND_VERSION,
        "The model, now in the role of the reviewer, approved version 2, so that is the answer.",
    ]


def test_feedback_without_a_clear_verdict_counts_as_not_approved() -> None:
    said = "The model, now in the role of the reviewer, came to no clear verdict, so version 1 counts as not approved."
    assert reflection("one", "Nice, but short.", "two", APPROVE)[1] == said


@pytest.mark.parametrize(
    ("replies", "said"),
    [
        (
            ["one  two", REVISE, "one two"],
            "The revision changed nothing, so the run ended: another round would change nothing either.",
        ),
        (
            ["A1", REVISE, "B1", REVISE, "A1"],
            "The revision went back to version 1, so the run ended: the versions go round in circles.",
        ),
        (
            ["one", REVISE, "two", REVISE, "three"],
            "The model changed its work after the review; this is version 3. "
            "That was the last round, so this version is the answer although nobody reviewed it.",
        ),
    ],
)
def test_the_last_revision_says_why_it_is_the_last(replies: list[str], said: str) -> None:
    assert reflection(*replies, max_rounds=2)[-1] == said


def test_a_revision_without_a_review_says_so() -> None:
    said = "The model changed its work on its own, without a review; this is version 2."
    assert reflection("one", "two", "three", max_rounds=2, reviews=False)[1] == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"Sure:\n{CODE}", f"{FIRST_VERSION} The words around the code were left out."),
        ("I would write a loop.", f"{FIRST_VERSION} There was no code in the reply, so its text was kept as it is."),
        ("```python\ndef f():\n    return 1", f"{FIRST_VERSION} {BROKE_OFF}"),
    ],
)
def test_a_draft_that_should_be_code_says_what_was_taken(text: str, said: str) -> None:
    assert reflection(text, APPROVE, writer="python")[0] == said


def test_a_revision_without_code_keeps_the_version_before() -> None:
    said = (
        "The revision changed nothing, so the run ended: another round would change nothing either. "
        "There was no code in the reply, so the version before stays."
    )
    assert reflection(CODE, REVISE, "It is fine.", writer="python")[-1] == said


@pytest.mark.parametrize(
    ("replies", "said"),
    [
        (["42"], AT_ONCE),
        ([reply("Once upon", "length")], f"{AT_ONCE} {CUT_OFF}"),
        (["", "42"], f"{FIRST_EMPTY} {AT_ONCE}"),
        (["", ""], f"{FIRST_EMPTY} The second reply was empty, too, so the run ended here."),
        ([Stopped("stop")], STOPPED),
        (
            [Stopped("stop", reply("Once", "interrupted"))],
            "The run was stopped here; the part of the reply that had come is kept.",
        ),
        (
            [ModelError("auth")],
            "The model's server gave no reply that can be used, so the run ended here.",
        ),
        (
            [ModelError("connection", partial=reply("Once", "interrupted"))],
            "The model's server failed in the middle of the reply, so the run ended here; "
            "the part that had come is kept.",
        ),
    ],
)
def test_a_single_call_says_how_it_ended(replies: list[Reply], said: str) -> None:
    assert told(Direct(ScriptedModel(*replies))) == [said]


def test_a_spent_budget_is_said_in_the_step_that_had_no_call_any_more() -> None:
    said = "The run had used up its budget of tokens, so the model was not asked any more."
    assert told(ReAct(ScriptedModel(LOOK_UP), TOOLBOX, settings=Settings(token_budget=10))) == [USED, said]


def test_a_run_stopped_while_a_tool_was_at_work_got_no_result() -> None:
    events: list[Event] = [StepStarted(1, "react", ""), Action("Search", "A"), RunEnded("stopped", "")]
    said = "The model asked for Search, but no result came. The model wrote down no thought first."
    assert what_happened(steps_from(events), 0) == f"{said} {STOPPED}"


def test_a_live_step_says_nothing_until_something_came_of_it() -> None:
    events = list(ReAct(ScriptedModel(LOOK_UP, FINISH), TOOLBOX).stream("?"))
    live = [what_happened(steps_from(events[:end]), 0) for end in range(2, 9)]
    assert live == ["", "", "", "", "", "The model asked for Search.", USED]


# What is read from the reply in spite of a slip, by the kind of step in which it is made
OUTCOMES: dict[StepKind, tuple[Event, ...]] = {
    "answer": (FinalAnswer("42"),),
    "react": (Thought("x"), Action("Search", "A"), Observation("1")),
    "plan": (Plan(("a", "b")),),
    "execute": (StepResult(1, "1"),),
    "close": (FinalAnswer("42"),),
    "draft": (Draft(1, "one"),),
    "review": (Feedback(1, "Short.", approved=False),),
    "revise": (Draft(2, "two"),),
}
KIND_OF_SLIP: dict[str, StepKind] = {"no_verdict": "review", "empty_reply": "answer"}


@pytest.mark.parametrize("rule", SLIPS)
def test_every_slip_changes_what_is_said(rule: str) -> None:
    kind = KIND_OF_SLIP.get(rule, "react")
    assert of_step(kind, FormatSlip(rule, "", "cut"), *OUTCOMES[kind]) != of_step(kind, *OUTCOMES[kind])


@pytest.mark.parametrize("rule", FAULTS)
@pytest.mark.parametrize(
    ("kind", "consequence"), [("react", REMINDED), ("plan", "The model was told so and asked for the plan again.")]
)
def test_every_fault_has_its_sentence(rule: str, kind: StepKind, consequence: str) -> None:
    reminder = {"react": [Observation("Your reply …", is_error=True)], "plan": []}[kind]
    said = {("plan", "empty_reply"): FIRST_EMPTY}.get((kind, rule), f"{TEXTS[f'fault_{rule}']['en']} {consequence}")
    assert of_step(kind, FormatSlip(rule, "", "cut"), *reminder) == said


@pytest.mark.parametrize("kind", get_args(StepKind))
@pytest.mark.parametrize("rule", [*SLIPS, *FAULTS, "a rule of tomorrow"])
def test_no_slip_in_any_step_is_without_a_word(kind: StepKind, rule: str) -> None:
    slip = FormatSlip(rule, "", "cut")
    assert of_step(kind, slip, *OUTCOMES[kind])
    assert of_step(kind, slip)


@pytest.mark.parametrize("kind", get_args(StepKind))
@pytest.mark.parametrize("reason", get_args(EndReason))
def test_no_end_in_any_step_is_without_a_word(kind: StepKind, reason: EndReason) -> None:
    assert what_happened(steps_from([StepStarted(1, kind, ""), RunEnded(reason, "")]), 0)


@pytest.mark.parametrize("kind", get_args(StepKind))
@pytest.mark.parametrize("outcome", [outcome for outcomes in OUTCOMES.values() for outcome in outcomes])
def test_an_outcome_that_no_step_of_this_kind_has_is_no_fault(kind: StepKind, outcome: Event) -> None:
    assert of_step(kind, outcome)


@pytest.mark.parametrize("entry", TEXTS)
def test_every_sentence_is_there_in_both_languages_with_the_same_values(entry: str) -> None:
    assert set(TEXTS[entry]) == set(LANGUAGES)
    assert placeholders_in(TEXTS[entry]["en"]) == placeholders_in(TEXTS[entry]["zh"])
    assert TEXTS[entry]["en"].endswith(".")
    assert TEXTS[entry]["zh"].endswith("。")


@pytest.mark.usefixtures("in_chinese")
def test_speaks_the_language_of_the_session() -> None:
    assert react("Action: Search[height of Tower A]", FINISH) == [
        "模型使用了 Search，并看到了返回的结果。模型没有先写出思考。",
        "模型认为可以结束了，给出了答案。",
    ]


@pytest.mark.usefixtures("nothing_is_set")
@pytest.mark.parametrize(("lang", "said"), [("en", "and was shown what came back."), ("zh", "并看到了返回的结果。")])
def test_every_card_of_a_react_run_begins_with_what_happened(lang: str, said: str) -> None:
    app = click(open_page("react", lang=lang), "react.start")
    cards = [card for card in app.expander if re.match(r"\*\*\d", card.label)]
    lines = [str(card.markdown[0].value) for card in cards]
    assert not app.exception
    assert [line.partition(" ")[0] for line in lines] == [":material/info:"] * len(cards)
    assert said in lines[0]
