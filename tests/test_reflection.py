"""Reflection, by whole trajectories with a scripted model."""

import pytest

from agents.events import Draft, Feedback, FinalAnswer, FormatSlip, RunEnded, RunStarted, StepStarted
from agents.prompts import load_template
from agents.reflection import Reflection
from agents.run import Run
from tests.agents_under_test import without_calls
from tests.scripted_model import ScriptedModel, reply

TASK = "Write a haiku."
REVISE = "Line 2 is short.\nVerdict: REVISE"
APPROVE = "All good.\nVerdict: APPROVED"


def run_of(model: ScriptedModel, max_rounds: int = 3) -> Run:
    return Reflection(model, max_rounds=max_rounds).run(TASK)


def drafts(run: Run) -> list[str]:
    return [draft.text for draft in run.of(Draft)]


def test_reports_the_whole_trajectory_in_order() -> None:
    model = ScriptedModel("one", REVISE, "two", APPROVE)
    agent = Reflection(model)
    assert without_calls(list(agent.stream(TASK))) == [
        RunStarted("reflection", TASK, "scripted", agent.start(TASK).settings, agent.templates),
        StepStarted(1, "draft", "Write the first version"),
        reply("one"),
        Draft(1, "one"),
        StepStarted(2, "review", "Review version 1"),
        reply(REVISE),
        Feedback(1, REVISE, False),
        StepStarted(3, "revise", "Revise version 1"),
        reply("two"),
        Draft(2, "two"),
        StepStarted(4, "review", "Review version 2"),
        reply(APPROVE),
        Feedback(2, APPROVE, True),
        FinalAnswer("two"),
        RunEnded("approved", "The reviewer approved version 2."),
    ]
    model.assert_finished()


def test_the_reviser_sees_the_latest_version_its_feedback_and_what_came_before() -> None:
    model = ScriptedModel("one", REVISE, "two", "Still short.\nVerdict: REVISE", "three", APPROVE)
    run_of(model)
    first, second = model.requests[2].messages[0].content, model.requests[4].messages[0].content
    assert [part in first for part in (TASK, "one", "Line 2 is short.", "(none yet)")] == [True] * 4
    assert [part in second for part in ("two", "Still short.", "Version 1:\none", "Line 2 is short.")] == [True] * 4


def test_a_revision_that_changes_nothing_ends_the_run() -> None:
    run = run_of(ScriptedModel("one  two", REVISE, "one two"))
    assert (run.reason, run.answer) == ("no_change", "one  two")


def test_versions_that_alternate_end_the_run() -> None:
    run = run_of(ScriptedModel("A1", REVISE, "B1", REVISE, "A1"))
    assert (run.reason, drafts(run)) == ("alternating", ["A1", "B1", "A1"])


def test_a_last_revision_that_nobody_reviewed_is_marked() -> None:
    run = run_of(ScriptedModel("one", REVISE, "two", REVISE, "three"), max_rounds=2)
    assert next(run.of(FinalAnswer)) == FinalAnswer("three", "not_reviewed")
    assert run.ended == RunEnded("round_limit", "The run reached its limit of 2 rounds without an approval.")


def test_an_approval_in_the_revision_does_not_count() -> None:
    run = run_of(ScriptedModel("one", REVISE, "Verdict: APPROVED", REVISE, "three"), max_rounds=2)
    assert run.reason == "round_limit"


def test_feedback_without_a_verdict_is_a_slip_and_no_approval() -> None:
    run = run_of(ScriptedModel("one", "Nice, but short.", "two", APPROVE))
    assert [slip.rule for slip in run.of(FormatSlip)] == ["no_verdict"]
    assert [feedback.approved for feedback in run.of(Feedback)] == [False, True]


def test_a_blank_review_is_asked_for_again() -> None:
    model = ScriptedModel("one", "", APPROVE)
    assert run_of(model).reason == "approved"
    model.assert_finished()


def code_run(*replies: str) -> Run:
    templates = {"writer": load_template("reflection", "writer", "python")}
    return Reflection(ScriptedModel(*replies), templates).run("Double a number.")


def test_code_is_taken_out_of_the_replies_where_the_writer_was_asked_for_code() -> None:
    run = code_run("Here:\n```python\ndef f(x):\n    return x + x\n```\nDone.", APPROVE)
    assert drafts(run) == ["def f(x):\n    return x + x"]
    assert [slip.rule for slip in run.of(FormatSlip)] == ["prose_removed"]


def test_a_revision_without_code_keeps_the_previous_code() -> None:
    run = code_run("```python\ndef f(x):\n    return 2 * x\n```", REVISE, "I would only rename it.")
    assert drafts(run) == ["def f(x):\n    return 2 * x"] * 2
    assert run.reason == "no_change"


@pytest.mark.parametrize("comment", ["", "  # doubles", "   "])
def test_comments_and_blanks_make_no_new_version(comment: str) -> None:
    block = "```python\ndef f(x):\n    return 2 * x{}\n```"
    assert code_run(block.format(""), REVISE, block.format(comment)).reason == "no_change"


@pytest.mark.parametrize("nothing", ["", "...", "<think>It looks fine.</think>", "***\n"])
def test_feedback_that_says_nothing_is_asked_for_once_more(nothing: str) -> None:
    model = ScriptedModel("one", nothing, "All good.\nVerdict: APPROVED")
    run = Reflection(model).run("Write.")
    assert [slip.rule for slip in run.of(FormatSlip)] == ["empty_reply"]
    assert run.reason == "approved"
    model.assert_finished()
