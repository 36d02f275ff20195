"""What came of one version against another: every case has its sentence, and its rows."""

from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from agents import wording
from agents.events import EndReason
from agents.prompts import placeholders_in
from components.comparison_table import LaneFigures
from components.outcome import outcome_sentence
from components.outcome_table import outcome_rows
from components.texts import LANGUAGES

ENTRIES = wording.load("components.texts", "outcome")

RUN = LaneFigures("A", 5, 5, 4, 1, 900, 100, False, 4.0, 0.4, 3.0, 0.5, 0.001, "answered", "56 loaves", True)
WRONG = replace(RUN, answer="48", is_right=False)
UNMARKED = replace(RUN, is_right=None)
STOPPED = replace(RUN, reason="stopped", answer=None, is_right=False)
FAILED = replace(STOPPED, reason="model_error", steps=1, input_tokens=0, output_tokens=0)
LIMITED = replace(FAILED, reason="step_limit", steps=6, input_tokens=1_900, output_tokens=100)
UNFINISHED = replace(RUN, reason=None, answer=None, is_right=None)
LESS = replace(RUN, steps=3, input_tokens=520)
FREE = replace(RUN, input_tokens=0, output_tokens=0)
LONG = "a long answer " * 20


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(st.session_state, "language", "en")


@pytest.fixture
def chinese(english: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(st.session_state, "language", "zh")


def sentence(before: Sequence[LaneFigures], after: Sequence[LaneFigures]) -> str:
    return outcome_sentence("Version A", before, "Version B", after)


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        (RUN, LESS, "needed 2 fewer steps and 38 % fewer tokens"),
        (LESS, RUN, "needed 2 more steps and 61 % more tokens"),
        (RUN, replace(RUN, steps=4), "needed 1 fewer step and about as many tokens"),
        (RUN, replace(RUN, steps=6), "needed 1 more step and about as many tokens"),
        (RUN, replace(RUN, output_tokens=110), "needed 1 % more tokens"),
        (RUN, replace(RUN, output_tokens=109, steps=7), "needed 2 more steps and about as many tokens"),
        (RUN, replace(RUN, input_tokens=13_400), "needed 1,250 % more tokens"),
        (RUN, replace(LESS, steps=5, estimated=True), "needed about 38 % fewer tokens"),
        (replace(RUN, estimated=True), replace(LESS, steps=5), "needed about 38 % fewer tokens"),
        (FREE, replace(FREE, input_tokens=1_350), "needed 1,350 more tokens"),
        (FREE, replace(FREE, input_tokens=1_350, estimated=True), "needed about 1,350 more tokens"),
        (FREE, replace(FREE, steps=6), "needed 1 more step and about as many tokens"),
        (RUN, replace(RUN, format_slips=2), "needed about as many tokens and made 1 more format slip"),
        (RUN, replace(RUN, format_slips=0), "needed about as many tokens and made 1 fewer format slip"),
        (RUN, replace(RUN, format_slips=4), "needed about as many tokens and made 3 more format slips"),
        (RUN, replace(RUN, seconds=5.2), "needed about as many tokens and took 1.2 s longer"),
        (RUN, replace(RUN, seconds=2.5), "needed about as many tokens and was 1.5 s faster"),
        (
            RUN,
            replace(LESS, format_slips=3, seconds=5.2),
            "needed 2 fewer steps and 38 % fewer tokens, made 2 more format slips and took 1.2 s longer",
        ),
    ],
)
def test_tells_the_figures_that_changed(before: LaneFigures, after: LaneFigures, changes: str) -> None:
    assert sentence([before], [after]) == f"Compared with Version A, Version B {changes}; both answers are right."


@pytest.mark.parametrize("seconds", [(4.0, 4.25), (1.0, 1.25), (20.0, 21.0), (0.0, 0.25)])
def test_a_small_difference_in_time_is_not_told(seconds: tuple[float, float]) -> None:
    before, after = (replace(RUN, seconds=each) for each in seconds)
    assert sentence([before], [after]).startswith("Nothing differs")


def test_a_difference_in_time_is_told_from_half_a_second_on() -> None:
    assert "took 0.5 s longer" in sentence([replace(RUN, seconds=5.0)], [replace(RUN, seconds=5.5)])


@pytest.mark.parametrize(
    ("before", "after", "outcome"),
    [
        (RUN, RUN, "both answers are right"),
        (WRONG, WRONG, "both answers are wrong"),
        (UNMARKED, replace(UNMARKED, answer="56  Loaves."), "the answers are the same"),
    ],
)
def test_says_that_nothing_differs(before: LaneFigures, after: LaneFigures, outcome: str) -> None:
    begin = "Nothing differs between Version A and Version B, in steps or in tokens"
    assert sentence([before], [after]) == f"{begin}; {outcome}."


@pytest.mark.parametrize(
    ("before", "after", "outcome"),
    [
        (RUN, WRONG, "only Version A is right"),
        (WRONG, RUN, "only Version B is right"),
        (RUN, replace(RUN, output_tokens=109), "both answers are right"),
        (WRONG, replace(WRONG, answer="49"), "both answers are wrong"),
        (UNMARKED, replace(UNMARKED, tool_calls=5), "the answers are the same"),
        (UNMARKED, replace(UNMARKED, answer="$48"), "Version A answered “56 loaves”, Version B “\\$48”"),
        (UNMARKED, replace(UNMARKED, answer=LONG), "the answers differ"),
        (UNMARKED, replace(UNMARKED, answer=" "), "the answers differ"),
        (UNMARKED, WRONG, "Version A answered “56 loaves”, Version B “48”"),
    ],
)
def test_tells_what_came_of_it_where_figures_are_alike(before: LaneFigures, after: LaneFigures, outcome: str) -> None:
    begin = "Version B needed as many steps and about as many tokens as Version A"
    assert sentence([before], [after]) == f"{begin}; {outcome}."


@pytest.mark.parametrize(
    ("before", "after", "outcome"),
    [
        (LIMITED, RUN, "Version A gave no answer (step limit), and Version B is right"),
        (LIMITED, WRONG, "Version A gave no answer (step limit), and Version B is wrong"),
        (LIMITED, UNMARKED, "Version A gave no answer (step limit), and Version B answered “56 loaves”"),
        (RUN, LIMITED, "Version B gave no answer (step limit), and Version A is right"),
        (
            replace(LIMITED, reason="no_plan", steps=3),
            LIMITED,
            "Version A gave no answer (no plan could be read), nor did Version B (step limit)",
        ),
    ],
)
def test_tells_who_gave_no_answer_and_why(before: LaneFigures, after: LaneFigures, outcome: str) -> None:
    text = sentence([before], [after])
    assert text.startswith("Compared with Version A, Version B needed ")
    assert text.endswith(f"; {outcome}.")


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        (RUN, FAILED, "Version B gave no answer (the model failed), and Version A is right."),
        (STOPPED, WRONG, "Version A gave no answer (stopped), and Version B is wrong."),
        (STOPPED, FAILED, "Version A gave no answer (stopped), nor did Version B (the model failed)."),
    ],
)
def test_the_figures_of_a_run_that_was_cut_short_are_not_compared(
    before: LaneFigures, after: LaneFigures, text: str
) -> None:
    assert sentence([before], [after]) == text


@pytest.mark.parametrize("reason", get_args(EndReason))
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_for_no_answer_is_told(reason: EndReason, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(st.session_state, "language", language)
    word = wording.load("components.texts", "comparison_table")[f"ended_{reason}"][language]
    assert word in sentence([RUN], [replace(LIMITED, reason=reason)])


@pytest.mark.parametrize(
    ("before", "after", "names"),
    [
        ([], [RUN], "Version A"),
        ([RUN], [UNFINISHED], "Version B"),
        ([UNFINISHED], [STOPPED], "Version A"),
        ([], [UNFINISHED, STOPPED], "Version A, Version B"),
    ],
)
def test_says_that_there_is_nothing_to_compare_yet(
    before: list[LaneFigures], after: list[LaneFigures], names: str
) -> None:
    assert sentence(before, after) == f"There is nothing to compare yet; still to finish: {names}."


@pytest.mark.parametrize(
    ("before", "after", "names"),
    [
        ([STOPPED, STOPPED], [RUN, RUN], "Version A"),
        ([STOPPED], [STOPPED, STOPPED], "Version A, Version B"),
    ],
)
def test_says_that_all_runs_were_stopped(before: list[LaneFigures], after: list[LaneFigures], names: str) -> None:
    assert sentence(before, after) == f"There is nothing to compare; every run was stopped: {names}."


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        (
            [RUN, RUN, WRONG, WRONG, WRONG],
            [LESS, LESS, LESS, LESS, WRONG],
            "Compared with Version A, Version B needed 2 fewer steps and 38 % fewer tokens (medians); "
            "it was right in 4 of 5 runs instead of 2 of 5.",
        ),
        (
            [RUN, WRONG],
            [RUN, replace(WRONG, steps=6)],
            "Compared with Version A, Version B needed 0.5 more steps and about as many tokens (medians); "
            "each was right in 1 of 2 runs.",
        ),
        (
            [RUN, RUN],
            [RUN, RUN, RUN, STOPPED, UNFINISHED],
            "Version B needed as many steps and about as many tokens as Version A (medians); "
            "it was right in 3 of 3 runs instead of 2 of 2.",
        ),
        (
            [RUN, RUN, RUN],
            [RUN, RUN, LIMITED],
            "Version B needed as many steps and about as many tokens as Version A (medians); "
            "it was right in 2 of 3 runs instead of 3 of 3; it answered in 2 of 3 runs instead of 3 of 3.",
        ),
        (
            [RUN, RUN, LIMITED],
            [RUN, RUN, LIMITED],
            "Version B needed as many steps and about as many tokens as Version A (medians); "
            "each was right in 2 of 3 runs; each answered in 2 of 3 runs.",
        ),
        (
            [UNMARKED, UNMARKED],
            [UNMARKED],
            "Version B needed as many steps and about as many tokens as Version A (medians); "
            "the most frequent answer is the same.",
        ),
        (
            [UNMARKED, UNMARKED],
            [replace(WRONG, is_right=None)] * 2,
            "Version B needed as many steps and about as many tokens as Version A (medians); "
            "Version A most often answered “56 loaves”, Version B “48”.",
        ),
        (
            [UNMARKED, UNMARKED],
            [UNMARKED, replace(WRONG, is_right=None)],
            "Version B needed as many steps and about as many tokens as Version A (medians).",
        ),
    ],
)
def test_several_runs_are_compared_by_medians_and_counts(
    before: list[LaneFigures], after: list[LaneFigures], text: str
) -> None:
    assert sentence(before, after) == text


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        (
            [RUN],
            [replace(LESS, estimated=True, format_slips=2, seconds=5.2)],
            "与“版本 A”相比，“版本 B”少用 2 步，词元少 38 % 左右，多犯 1 次格式错误，慢 1.2 秒；两个答案都正确。",
        ),
        ([RUN], [WRONG], "与“版本 A”相比，“版本 B”步数相同，词元也差不多；只有“版本 A”正确。"),
        ([RUN], [FAILED], "“版本 B”没有给出答案（模型出错），“版本 A”正确。"),
        ([RUN], [], "暂时没有可比较的；还没有完成的：版本 B。"),
        (
            [RUN, WRONG],
            [LESS, LESS],
            "与“版本 A”相比，“版本 B”少用 2 步，词元少 38 %（按中位数）；2 次运行中答对 2 次（对照为 2 次中的 1 次）。",
        ),
    ],
)
@pytest.mark.usefixtures("chinese")
def test_the_sentence_in_chinese(before: list[LaneFigures], after: list[LaneFigures], text: str) -> None:
    assert outcome_sentence("版本 A", before, "版本 B", after) == text


def test_names_and_answers_are_shown_as_they_are_written() -> None:
    app = AppTest.from_function(page)
    app.session_state["before"] = replace(UNMARKED, answer="*56* :red[loaves]")
    app.session_state["after"] = replace(UNMARKED, answer="$1 and $2")
    text = app.run().markdown[0].value
    assert "\\*56\\* \\:red\\[loaves\\]" in text
    assert "_B_" not in text


def page() -> None:
    import streamlit as st

    from components.outcome import outcome_sentence

    st.markdown(outcome_sentence("A", [st.session_state["before"]], "_B_", [st.session_state["after"]]))


def test_the_rows_have_each_version_and_its_difference_to_the_first() -> None:
    after = replace(LESS, model_calls=3, estimated=True, seconds=5.2, answer="48", is_right=False)
    assert outcome_rows(["A", "B"], [[RUN], [after]]) == [
        {"Figure": "Steps", "A": "5", "B": "3", "B against A": "−2"},
        {"Figure": "Model calls", "A": "5", "B": "3", "B against A": "−2"},
        {"Figure": "Format slips", "A": "1", "B": "1", "B against A": "0"},
        {"Figure": "Tokens, total", "A": "1,000", "B": "≈ 620", "B against A": "≈ −38 %"},
        {"Figure": "Seconds", "A": "4.0", "B": "5.2", "B against A": "+1.2 s"},
        {"Figure": "Right", "A": "right", "B": "wrong", "B against A": "right → wrong"},
        {"Figure": "Answer", "A": "56 loaves", "B": "48", "B against A": "different"},
    ]


def test_the_rows_of_several_runs_have_medians_and_counts() -> None:
    rows = outcome_rows(["A", "B", "C"], [[RUN, WRONG, RUN], [RUN, replace(LESS, answer="56  Loaves.")], [RUN, WRONG]])
    assert rows[0] == {
        "Figure": "Steps",
        "A": "5",
        "B": "4",
        "C": "5",
        "B against A": "−1",
        "C against A": "0",
    }
    assert list(rows[5].values()) == ["Right", "2 / 3", "2 / 2", "1 / 2", "2 / 3 → 2 / 2", "2 / 3 → 1 / 2"]
    assert list(rows[6].values()) == [
        "Answer",
        "56 loaves (2 / 3)",
        "56 loaves (2 / 2)",
        "none, it is a tie",
        "same",
        "–",
    ]


def test_there_is_no_row_of_marks_where_nothing_is_marked() -> None:
    rows = outcome_rows(["A", "B"], [[UNMARKED], [UNMARKED]])
    assert [row["Figure"] for row in rows] == [
        "Steps",
        "Model calls",
        "Format slips",
        "Tokens, total",
        "Seconds",
        "Answer",
    ]


@pytest.mark.parametrize(
    ("runs", "answer"),
    [([], "–"), ([UNFINISHED], "–"), ([STOPPED], "– (stopped)"), ([STOPPED, STOPPED, UNFINISHED], "– (stopped)")],
)
def test_the_rows_of_a_version_that_came_to_nothing_are_unknown(runs: list[LaneFigures], answer: str) -> None:
    rows = outcome_rows(["A", "B"], [[RUN], runs])
    assert [row["B"] for row in rows] == ["–"] * 6 + [answer]
    assert {row["B against A"] for row in rows} == {"–"}


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        (RUN, RUN, "0"),
        (RUN, replace(RUN, output_tokens=109), "≈ 0 %"),
        (LESS, RUN, "+61 %"),
        (FREE, FREE, "0"),
        (FREE, RUN, "+1,000"),
    ],
)
def test_the_change_in_tokens_is_in_percent_where_there_were_any(
    before: LaneFigures, after: LaneFigures, change: str
) -> None:
    assert outcome_rows(["A", "B"], [[before], [after]])[3]["B against A"] == change


@pytest.mark.usefixtures("chinese")
def test_the_rows_in_chinese() -> None:
    rows = outcome_rows(["甲", "乙"], [[RUN], [replace(WRONG, seconds=5.2)]])
    assert list(rows[0]) == ["指标", "甲", "乙", "乙 与 甲 之差"]
    assert [row["乙 与 甲 之差"] for row in rows[4:]] == ["+1.2 秒", "正确 → 错误", "不同"]


@pytest.mark.parametrize("entry", ENTRIES)
def test_every_text_is_there_in_both_languages_with_the_same_placeholders(entry: str) -> None:
    assert set(ENTRIES[entry]) == set(LANGUAGES)
    assert placeholders_in(ENTRIES[entry]["en"]) == placeholders_in(ENTRIES[entry]["zh"])
