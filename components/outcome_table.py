"""What came of the versions of a run, in a small table: a row for each figure, with differences to the first one."""

from collections.abc import Mapping, Sequence

import streamlit as st

from components.comparison_table import Cell, LaneFigures, table_texts
from components.outcome import LEAST_TOKENS, is_same, number_text, signed_percent
from components.safe_text import plain
from components.spread import Spread, spread
from components.texts import language, say

UNKNOWN = "–"


def outcome_rows(names: Sequence[str], figures: Sequence[Sequence[LaneFigures]]) -> list[dict[str, Cell]]:
    """A row for each figure, by heading: each version's, then each later version's difference to the first, all text.

    There is at least one version, and names differ. The row of marks is there where any run is marked.
    """
    texts = table_texts(language())
    lanes = [spread(name, runs) for name, runs in zip(names, figures, strict=True)]
    first = lanes[0]
    rows = [
        _row(
            texts[column],
            names,
            [_figure_cell(lane, column) for lane in lanes],
            [_figure_change(first, lane, column) for lane in lanes[1:]],
        )
        for column in ("steps", "model_calls", "format_slips", "total_tokens", "seconds")
    ]
    if any(lane.right is not None for lane in lanes):
        marks = [_mark_cell(lane) for lane in lanes]
        changes = [_mark_change(marks[0], mark) for mark in marks[1:]]
        rows.append(_row(texts["is_right"], names, marks, changes))
    answers = [_answer_cell(lane, runs) for lane, runs in zip(lanes, figures, strict=True)]
    changes = [_answer_change(first.majority, lane.majority) for lane in lanes[1:]]
    return [*rows, _row(texts["answer"], names, answers, changes)]


def draw_outcome_table(rows: Sequence[Mapping[str, Cell]]) -> None:
    """Draws the rows. What is long, such as an answer, is wrapped and not cut."""
    st.table([{heading: _shown(cell) for heading, cell in row.items()} for row in rows], hide_index=True)


def _shown(cell: Cell) -> Cell:
    """The cell as Markdown that shows it as it is."""
    return plain(cell) if isinstance(cell, str) else cell


def _row(label: str, names: Sequence[str], cells: Sequence[str], changes: Sequence[str]) -> dict[str, Cell]:
    against = [say("outcome.against", {"before": names[0], "after": name}) for name in names[1:]]
    headings = [say("outcome.figure"), *names, *against]
    return dict(zip(headings, [label, *cells, *changes], strict=True))


def _figure_cell(lane: Spread, column: str) -> str:
    if column not in lane.ranges:
        return UNKNOWN
    median = lane.ranges[column].median
    about = "≈ " if lane.estimated and column == "total_tokens" else ""
    return f"{median:,.1f}" if column == "seconds" else about + number_text(median)


def _figure_change(first: Spread, lane: Spread, column: str) -> str:
    if column not in first.ranges or column not in lane.ranges:
        return UNKNOWN
    before, after = first.ranges[column].median, lane.ranges[column].median
    if round(after, 1) == round(before, 1):
        return "0"
    change = f"{after - before:+,.1f}"
    if column == "seconds":
        change = say("comparison_charts.duration", {"s": change})
    elif column == "total_tokens" and before:
        about = "≈ " if first.estimated or lane.estimated else ""
        is_tiny = abs(after - before) < LEAST_TOKENS * before
        change = "≈ 0 %" if is_tiny else about + signed_percent(before, after)
    return change.removesuffix(".0").replace("-", "−")


def _mark_cell(lane: Spread) -> str:
    if lane.right is None:
        return UNKNOWN
    texts = table_texts(language())
    return (texts["right"] if lane.right else texts["wrong"]) if lane.runs == 1 else f"{lane.right} / {lane.runs}"


def _mark_change(before: str, after: str) -> str:
    if UNKNOWN in (before, after):
        return UNKNOWN
    return say("outcome.same") if before == after else f"{before} → {after}"


def _answer_cell(lane: Spread, runs: Sequence[LaneFigures]) -> str:
    if lane.majority is not None:
        return lane.majority if lane.runs == 1 else f"{lane.majority} ({lane.answers[0][1]} / {lane.runs})"
    if lane.answers:
        return say("compare.no_majority")
    ended = [table_texts(language())[f"ended_{run.reason}"] for run in runs if run.reason]
    return f"{UNKNOWN} ({', '.join(dict.fromkeys(ended))})" if ended else UNKNOWN


def _answer_change(before: str | None, after: str | None) -> str:
    if before is None or after is None:
        return UNKNOWN
    return say("outcome.same" if is_same(before, after) else "outcome.different")
