"""A fork replays a run up to a change without a call, and goes on from the changed text."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from agents import wording
from agents.base import Settings
from agents.errors import ForkError
from agents.events import (
    Action,
    Change,
    Draft,
    Event,
    Feedback,
    FinalAnswer,
    FormatSlip,
    Language,
    Message,
    ModelRequest,
    Observation,
    Part,
    Plan,
    ReplyDelta,
    RunEnded,
    StepResult,
    StepStarted,
    Thought,
)
from agents.forking import fork
from agents.plan_and_solve import PlanAndSolve
from agents.prompts import fill, load_template
from agents.react import ReAct
from agents.reflection import Reflection
from agents.run import Run
from agents.tools.toolbox import Tool, Toolbox
from tests.agents_under_test import TOOLBOX, without_calls
from tests.scripted_model import ScriptedModel, reply

QUESTION = "Which tower is taller?"
LOOK_UP_A = "Thought: I need A.\nAction: Search[height of Tower A]"
LOOK_UP_B = "Thought: I need B.\nAction: Search[height of Tower B]"
FINISH = "Thought: 300 is more.\nAction: Finish[Tower A]"
PLAN = '["Find A", "Compare"]'
REVISE = "Line 2 is short.\nVerdict: REVISE"
APPROVE = "All good.\nVerdict: APPROVED"
CODE = "```python\ndef f(x):\n    return x + x\n```"
FOR_CODE = {"writer": load_template("reflection", "writer", "python")}


def react(*replies: str, toolbox: Toolbox = TOOLBOX, language: Language = "en") -> Run:
    chosen = replies or (LOOK_UP_A, LOOK_UP_B, FINISH)
    return ReAct(ScriptedModel(*chosen), toolbox, settings=Settings(language)).run(QUESTION)


def plan_and_solve(*replies: str, closes: bool = True) -> Run:
    return PlanAndSolve(ScriptedModel(*(replies or (PLAN, "300", "A", "Tower A."))), closes=closes).run(QUESTION)


def reflection(*replies: str, templates: dict[str, str] | None = None) -> Run:
    return Reflection(ScriptedModel(*(replies or ("one", REVISE, "two", APPROVE))), templates).run(QUESTION)


def forked(run: Run, step: int, part: Part, text: str, *later: str, toolbox: Toolbox = TOOLBOX) -> Run:
    """The finished fork. Its model was asked for all of `later`, and for nothing that came before."""
    model = ScriptedModel(*later)
    ended = fork(run, step, part, text, "Ada", model, toolbox).run(QUESTION)
    model.assert_finished()
    return ended


def events(run: Run) -> list[Event]:
    return [stamped.event for stamped in run.events]


def requests(run: Run) -> list[ModelRequest]:
    return list(run.of(ModelRequest))


def until(run: Run, step: int, kind: type[Event]) -> list[Event]:
    """The events after RunStarted, up to the first one of this kind in the step with this number."""
    after = events(run)[1:]
    begins = [isinstance(event, StepStarted) and event.number == step for event in after].index(True)
    return after[: begins + [isinstance(event, kind) for event in after[begins:]].index(True)]


CHANGES = [
    pytest.param(react, 2, "thought", "B is missing.", ("Action: Search[B]", FINISH), ModelRequest, id="thought"),
    pytest.param(react, 3, "thought", "Done.", ("Action: Finish[A]",), ModelRequest, id="last thought"),
    pytest.param(react, 2, "observation", "Tower B is 900 m tall.", (FINISH,), Observation, id="observation"),
    pytest.param(plan_and_solve, 1, "plan", "Guess", ("A", "A."), ReplyDelta, id="plan"),
    pytest.param(plan_and_solve, 3, "result", "Tower B", ("B.",), ReplyDelta, id="result"),
    pytest.param(reflection, 1, "draft", "uno", (APPROVE,), ReplyDelta, id="draft"),
    pytest.param(reflection, 3, "draft", "due", (APPROVE,), ReplyDelta, id="revision"),
    pytest.param(reflection, 2, "feedback", "No.\nVerdict: REVISE", ("due", APPROVE), ReplyDelta, id="feedback"),
]


@pytest.mark.parametrize(("original", "step", "part", "text", "later", "kind"), CHANGES)
def test_everything_before_the_change_is_replayed_without_a_call(
    original: Callable[[], Run], step: int, part: Part, text: str, later: tuple[str, ...], kind: type[Event]
) -> None:
    run = original()
    fork_of_it = forked(run, step, part, text, *later)
    assert until(fork_of_it, step, kind) == until(run, step, kind)
    assert until(run, step, kind) != []


@pytest.mark.parametrize(
    ("original", "step", "part", "before", "later"),
    [
        (react, 2, "thought", "I need B.", ("Action: Finish[A]",)),
        (react, 2, "observation", "Tower B is 250 m tall.", (FINISH,)),
        (plan_and_solve, 1, "plan", "Find A\nCompare", ("A", "A.")),
        (plan_and_solve, 2, "result", "300", ("A", "A.")),
        (reflection, 3, "draft", "two", (APPROVE,)),
    ],
)
def test_a_fork_says_what_was_changed_by_whom_and_begins_like_the_run_in_all_else(
    original: Callable[[], Run], step: int, part: Part, before: str, later: tuple[str, ...]
) -> None:
    run = original()
    started = forked(run, step, part, "Something else", *later).started
    assert run.started is not None
    assert started is not None
    assert started == replace(run.started, changes=started.changes)
    assert started.changes == (Change(step, part, before, "Something else", "Ada", started.changes[0].seconds),)


def test_a_changed_thought_is_gone_on_with() -> None:
    goes_on, found = "Action: Search[height of Tower B]", "Tower B is 250 m tall."
    run = forked(react(LOOK_UP_A, FINISH), 2, "thought", "B is missing.", goes_on, FINISH)
    seconds = [observation.seconds for observation in run.of(Observation)]
    assert without_calls(events(run))[1:] == [
        StepStarted(1, "react", "Step 1"),
        reply(LOOK_UP_A),
        Thought("I need A."),
        Action("Search", "height of Tower A"),
        Observation("Tower A is 300 m tall.", False, seconds[0]),
        StepStarted(2, "react", "Step 2"),
        reply(goes_on),
        Thought("B is missing."),
        Action("Search", "height of Tower B"),
        Observation(found, False, seconds[1]),
        StepStarted(3, "react", "Step 3"),
        reply(FINISH),
        Thought("300 is more."),
        FinalAnswer("Tower A"),
        RunEnded("answered", "The agent gave its answer."),
    ]
    assert requests(run)[2].messages[1:] == (
        Message("assistant", LOOK_UP_A),
        Message("user", fill(load_template("react", "observation"), {"observation": "Tower A is 300 m tall."})),
        Message("assistant", f"Thought: B is missing.\n{goes_on}"),
        Message("user", fill(load_template("react", "observation"), {"observation": found})),
    )


@pytest.mark.parametrize("step", [1, 2])
@pytest.mark.parametrize(("language", "thought"), [("en", "Thought: Guess."), ("zh", "思考：Guess.")])
def test_a_changed_thought_stands_at_the_very_end_of_what_was_sent_then(
    step: int, language: Language, thought: str
) -> None:
    run = react(language=language, toolbox=Toolbox(TOOLBOX.tools, language))
    original = requests(run)[step - 1]
    *before, last = original.messages
    given = fill(load_template("react", "given_thought", language=language), {"thought": thought})
    changed = forked(run, step, "thought", "Guess.", "Action: Finish[A]", toolbox=Toolbox(TOOLBOX.tools, language))
    expected = (*before, Message("user", f"{last.content}\n\n{given}"))
    assert requests(changed)[-1] == replace(original, messages=expected)


def test_a_changed_thought_stands_at_the_end_of_a_trajectory_as_text() -> None:
    templates = {"react": load_template("react", "react", "as_text")}
    run = ReAct(ScriptedModel(LOOK_UP_A, FINISH), TOOLBOX, templates).run(QUESTION)
    given = fill(load_template("react", "given_thought"), {"thought": "Thought: Guess."})
    changed = forked(run, 2, "thought", "Guess.", "Action: Finish[A]")
    assert requests(changed)[1].messages == (Message("user", f"{requests(run)[1].messages[0].content}\n\n{given}"),)


@pytest.mark.parametrize(
    ("goes_on", "thought"),
    [
        ("```\nAction: Finish[A]\n```", "Guess."),
        ("<think>Hm.</think>Action: Finish[A]", "Guess."),
        ("Thought: It is A.\nAction: Finish[A]", "Guess.\nIt is A."),
        pytest.param(
            "Hm.</think>\nAction: Finish[A]",
            "Guess.",
        ),
    ],
)
def test_a_changed_thought_stays_however_the_model_goes_on(goes_on: str, thought: str) -> None:
    run = forked(react(), 3, "thought", "Guess.", goes_on)
    assert list(run.of(Thought))[2:] == [Thought(thought)]
    assert run.answer == "A"


def test_a_changed_observation_is_what_the_model_sees_next() -> None:
    run = forked(react(), 2, "observation", "Tower B is 900 m tall.", "Action: Finish[Tower B]")
    shown = fill(load_template("react", "observation"), {"observation": "Tower B is 900 m tall."})
    assert requests(run)[2].messages[:-1] == requests(react())[2].messages[:-1]
    assert requests(run)[2].messages[-1] == Message("user", shown)
    assert [observation.text for observation in run.of(Observation)][1:] == ["Tower B is 900 m tall."]
    assert run.answer == "Tower B"


def test_nothing_that_is_replayed_is_searched_for_again() -> None:
    searched: list[str] = []

    def search(words: str) -> str:
        searched.append(words)
        return f"{words}: {len(searched)}"

    toolbox = Toolbox([Tool("Search", {"en": "Search[words]"}, search)])
    run = react(LOOK_UP_A, LOOK_UP_A, LOOK_UP_B, FINISH, toolbox=toolbox)
    assert len(searched) == 3
    changed = forked(run, 2, "observation", "900 m", LOOK_UP_B, FINISH, toolbox=toolbox)
    assert searched[3:] == ["height of Tower B"]
    told = ["height of Tower A: 1", "900 m", "height of Tower B: 4"]
    assert [observation.text for observation in changed.of(Observation)] == told


@pytest.mark.parametrize("blank", ["", " \n"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_blank_observation_says_that_the_tool_returned_nothing(language: Language, blank: str) -> None:
    sentence = wording.sentence("tool.no_output", language)
    run = forked(react(language=language), 1, "observation", blank, FINISH)
    assert [observation.text for observation in run.of(Observation)] == [sentence]
    assert run.started is not None
    assert run.started.changes[0].after == sentence


def test_a_changed_failure_is_none_any_more() -> None:
    run = react("Thought: x\nAction: Calculator[1/0]", FINISH)
    changed = forked(run, 1, "observation", "infinity", FINISH)
    assert [observation.is_error for observation in (*run.of(Observation), *changed.of(Observation))] == [True, False]


@pytest.mark.parametrize("text", ["Find B\nAnswer", "\n  Find B  \n\nAnswer\n"])
def test_a_changed_plan_is_carried_out_one_step_a_line(text: str) -> None:
    run = forked(plan_and_solve(), 1, "plan", text, "250", "B", "Tower B.")
    assert list(run.of(Plan)) == [Plan(("Find B", "Answer"))]
    assert [(step.number, step.title) for step in run.of(StepStarted)][1:3] == [(2, "Find B"), (3, "Answer")]
    assert ["1. Find B\n2. Answer" in request.messages[0].content for request in requests(run)[1:3]] == [True, True]
    assert list(run.of(FormatSlip)) == []


@pytest.mark.parametrize("text", ["1. Guess", "Step 1: Guess", "1、Guess"])
def test_the_number_in_front_of_a_plan_of_one_step_is_not_part_of_it(text: str) -> None:
    run = forked(plan_and_solve(), 1, "plan", text, "B", "B.")
    assert list(run.of(Plan)) == [Plan(("Guess",))]


@pytest.mark.parametrize("plan", ["300 - 250", "Add.\n300 - 250", "\n".join(f"Add {n}." for n in range(9))])
def test_a_changed_plan_that_would_not_be_read_as_it_stands_is_refused(plan: str) -> None:
    with pytest.raises(ForkError, match="unreadable_plan"):
        forked(plan_and_solve(), 1, "plan", plan)


def test_a_plan_that_was_asked_for_twice_can_be_changed_in_its_second_step() -> None:
    run = forked(plan_and_solve("Well.", PLAN, "300", "A", "A."), 2, "plan", "Guess", "B", "B.")
    assert [step.kind for step in run.of(StepStarted)] == ["plan", "plan", "execute", "close"]
    assert list(run.of(Plan)) == [Plan(("Guess",))]


def test_a_changed_result_is_what_the_next_steps_start_from() -> None:
    run = forked(plan_and_solve(), 2, "result", "900", "A", "Tower A.")
    assert list(run.of(StepResult)) == [StepResult(1, "900"), StepResult(2, "A")]
    assert ["1. Find A\nResult: 900" in request.messages[0].content for request in requests(run)[2:]] == [True, True]


def test_a_changed_last_result_is_the_answer_where_nothing_closes() -> None:
    assert forked(plan_and_solve(PLAN, "300", "A", closes=False), 3, "result", "Tower B").answer == "Tower B"


def test_a_changed_draft_is_what_is_reviewed() -> None:
    run = forked(reflection(), 1, "draft", "uno", REVISE, "due", APPROVE)
    assert [draft.text for draft in run.of(Draft)] == ["uno", "due"]
    assert ["uno" in request.messages[0].content for request in requests(run)] == [False, True, True, False]


@pytest.mark.parametrize("replied", [CODE, f"Here:\n{CODE}\nDone.", "def f(x):\n    return x + x"])
def test_changed_code_is_taken_as_it_was_typed(replied: str) -> None:
    run = reflection(replied, APPROVE, templates=FOR_CODE)
    changed = forked(run, 1, "draft", "def f(x):\n    return 2 * x", APPROVE)
    assert list(changed.of(Draft)) == [Draft(1, "def f(x):\n    return 2 * x")]
    assert list(changed.of(FormatSlip)) == []


def test_a_changed_draft_is_taken_as_it_was_typed_where_code_is_a_part_of_it() -> None:
    run = reflection(f"Here:\n{CODE}", APPROVE)
    text = f"Here it is:\n{CODE}"
    assert list(forked(run, 1, "draft", text, APPROVE).of(Draft)) == [Draft(1, text)]


def test_changed_code_is_taken_as_it_was_typed_where_the_reply_had_none() -> None:
    run = reflection(CODE, REVISE, "I would only rename it.", templates=FOR_CODE)
    assert list(forked(run, 3, "draft", "double x = 2 * x", APPROVE).of(Draft))[1:] == [Draft(2, "double x = 2 * x")]


def test_changed_code_is_taken_as_it_was_typed_where_a_fence_is_in_it() -> None:
    text = f'EXAMPLE = """\n{CODE}\n"""'
    run = forked(reflection(CODE, APPROVE, templates=FOR_CODE), 1, "draft", text, APPROVE)
    assert list(run.of(Draft)) == [Draft(1, text)]


def test_changed_feedback_is_what_the_reviser_is_told() -> None:
    run = forked(reflection(), 2, "feedback", "Too long.\nVerdict: REVISE", "due", APPROVE)
    assert next(run.of(Feedback)) == Feedback(1, "Too long.\nVerdict: REVISE", False)
    assert "Too long." in requests(run)[2].messages[0].content


def test_a_changed_verdict_ends_the_run_without_a_call() -> None:
    run = forked(reflection(), 2, "feedback", "Good enough.\nVerdict: APPROVED")
    assert events(run)[-3:] == [
        Feedback(1, "Good enough.\nVerdict: APPROVED", True),
        FinalAnswer("one"),
        RunEnded("approved", "The reviewer approved version 1."),
    ]


def test_a_verdict_taken_back_lets_the_run_go_on() -> None:
    run = forked(reflection(), 4, "feedback", "Not yet.\nVerdict: REVISE", "three", APPROVE)
    assert run.answer == "three"


def test_changed_feedback_without_a_verdict_asks_for_a_revision() -> None:
    run = forked(reflection(), 2, "feedback", "Use longer words.", "due", APPROVE)
    assert next(run.of(Feedback)) == Feedback(1, "Use longer words.\nVerdict: REVISE", False)
    assert list(run.of(FormatSlip)) == []


def test_a_changed_plan_may_be_numbered() -> None:
    run = forked(plan_and_solve(), 1, "plan", "1. Find A\n2. Compare", "300", "A", "A.")
    assert next(run.of(Plan)).steps == ("Find A", "Compare")
    assert list(run.of(FormatSlip)) == []
