"""Which drafts of Reflection were right: every run is marked draft by draft, and its flips have their sentence."""

import pytest
import streamlit as st

from agents import wording
from agents.events import Draft, Event, Feedback, FinalAnswer, RunEnded, RunStarted, Stamped
from agents.expected import ExpectedError
from agents.prompts import placeholders_in
from agents.run import Run
from components.rounds import Flips, flips, flips_rows, flips_sentence
from components.texts import LANGUAGES

ENTRIES = wording.load("components.texts", "rounds")
STARTED = RunStarted("reflection", "How many?", "scripted", {}, {})

MENDED = Flips((False, True))
SPOILT = Flips((True, False))
BOTH = Flips((False, True, True, False))
RIGHT = Flips((True, True, True))
WRONG = Flips((False, False))
NEVER_REVISED = Flips((True,))
NO_DRAFT = Flips(())


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(st.session_state, "language", "en")


@pytest.fixture
def chinese(english: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(st.session_state, "language", "zh")


def run_of(*events: Event) -> Run:
    return Run([Stamped(float(second), event) for second, event in enumerate(events)])


def test_every_draft_of_a_run_is_marked() -> None:
    run = run_of(
        STARTED,
        Draft(1, "It is 48."),
        Feedback(1, "Should it not be 56?", False),
        Draft(2, "It is 56."),
        Feedback(2, "Sure?", False),
        Draft(3, "Fifty-six it is."),
        Draft(4, "It is 57."),
        FinalAnswer("It is 57."),
        RunEnded("round_limit", "Limit."),
    )
    found = flips(run, "56")
    assert found == Flips((False, True, True, False))
    assert (found.wrong_to_right, found.right_to_wrong, found.revisions) == ((2,), (4,), 3)


@pytest.mark.parametrize("events", [[], [STARTED], [STARTED, RunEnded("model_error", "No.", "auth")]])
def test_a_run_without_drafts_has_no_flips(events: list[Event]) -> None:
    found = flips(run_of(*events), "56")
    assert (found, found.revisions, found.wrong_to_right, found.right_to_wrong) == (NO_DRAFT, 0, (), ())


@pytest.mark.parametrize("expected", ["", "/(/"])
def test_what_nothing_can_be_compared_with_is_told(expected: str) -> None:
    with pytest.raises(ExpectedError):
        flips(run_of(STARTED, Draft(1, "56")), expected)


@pytest.mark.parametrize(
    ("runs", "text"),
    [
        (
            [BOTH],
            "A: 1 of 3 revisions turned a wrong draft into a right one (version 2), "
            "1 turned a right one into a wrong one (version 4).",
        ),
        (
            [Flips((False, True, False, True))],
            "A: 2 of 3 revisions turned a wrong draft into a right one (versions 2, 4), "
            "1 turned a right one into a wrong one (version 3).",
        ),
        (
            [MENDED],
            "A: 1 of 1 revision turned a wrong draft into a right one (version 2), "
            "0 turned a right one into a wrong one.",
        ),
        (
            [SPOILT, NO_DRAFT],
            "A: 0 of 1 revision turned a wrong draft into a right one, "
            "1 turned a right one into a wrong one (version 2).",
        ),
        ([RIGHT], "A: revising did not turn right into wrong; each of the 3 versions is right."),
        ([WRONG], "A: revising did not turn wrong into right; each of the 2 versions is wrong."),
        ([NEVER_REVISED], "A: the draft was not revised, and it is right."),
        ([Flips((False,))], "A: the draft was not revised, and it is wrong."),
        ([NO_DRAFT], "A: there is no draft yet."),
        ([], "A: there is no draft yet."),
        (
            [BOTH, MENDED, RIGHT, NEVER_REVISED, NO_DRAFT],
            "A, 4 runs: 2 of 6 revisions turned a wrong draft into a right one, 1 turned a right one into a wrong one.",
        ),
        (
            [RIGHT, WRONG, NEVER_REVISED],
            "A, 3 runs: no revision turned a wrong draft into a right one or a right one into a wrong one; "
            "2 of 3 runs were right from first to last.",
        ),
        ([NEVER_REVISED, Flips((False,))], "A, 2 runs: no draft was revised; 1 of 2 drafts are right."),
    ],
)
def test_the_flips_have_their_sentence(runs: list[Flips], text: str) -> None:
    assert flips_sentence("A", runs) == text


@pytest.mark.parametrize(
    ("runs", "text"),
    [
        ([BOTH], "版本 A：3 次修改中，1 次把错的改对了（第 2 版），1 次把对的改错了（第 4 版）。"),
        (
            [Flips((False, True, False, True))],
            "版本 A：3 次修改中，2 次把错的改对了（第 2、4 版），1 次把对的改错了（第 3 版）。",
        ),
        ([RIGHT], "版本 A：修改没有把对的改错；3 版都是对的。"),
        ([BOTH, MENDED], "版本 A，2 次运行：4 次修改中，2 次把错的改对了，1 次把对的改错了。"),
    ],
)
@pytest.mark.usefixtures("chinese")
def test_the_sentence_in_chinese(runs: list[Flips], text: str) -> None:
    assert flips_sentence("版本 A", runs) == text


def test_a_name_is_shown_as_it_is_written() -> None:
    assert flips_sentence("*A*", []) == "\\*A\\*: there is no draft yet."


def test_the_rows_count_flips_revision_by_revision() -> None:
    rows = flips_rows(["A", "B", "C"], [[BOTH, MENDED, RIGHT, NO_DRAFT], [SPOILT], [NEVER_REVISED]])
    assert rows[0] == {
        "Prompt version": "A",
        "Revision": 1,
        "Runs": 3,
        "Right before": 1,
        "Right after": 3,
        "Wrong → right": 2,
        "Right → wrong": 0,
    }
    assert [list(row.values()) for row in rows[1:]] == [
        ["A", 2, 2, 2, 2, 0, 0],
        ["A", 3, 1, 1, 0, 0, 1],
        ["B", 1, 1, 1, 0, 0, 1],
    ]


@pytest.mark.parametrize("entry", ENTRIES)
def test_every_text_is_there_in_both_languages_with_the_same_placeholders(entry: str) -> None:
    assert set(ENTRIES[entry]) == set(LANGUAGES)
    assert placeholders_in(ENTRIES[entry]["en"]) == placeholders_in(ENTRIES[entry]["zh"])
