"""The figures of a comparison, filled as runs end: a row for each lane, or the spread of its runs."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from agents.expected import ExpectedError, is_right
from agents.run import Run
from components.comparison_run import ComparisonRun, Job
from components.comparison_table import (
    FIGURES,
    LaneFigures,
    as_rows,
    best_and_worst,
    differences_between,
    lane_figures,
    lane_setup,
    table_texts,
)
from components.prices import PriceTable, shipped_prices
from components.session_templates import templates_label
from components.spread import Spread, spread
from components.texts import language, say

COUNTED = ("input_tokens", "output_tokens", "total_tokens", "cost")  # ≈ where the tokens are estimated
DECIMALS = {"seconds": 1, "first_token_seconds": 2, "model_seconds": 1, "tool_seconds": 1, "cost": 6}


def draw_figures(comparison: ComparisonRun) -> None:
    """The figures of the runs that are over: a row for each lane, or its spread where a lane has several runs."""
    st.subheader(say("compare.table"), anchor=False)
    st.caption(say("compare.ran_race" if comparison.is_race else "compare.ran_in_turn"))
    _draw_differences(comparison)
    figures = figures_of(comparison)
    if is_single(comparison):
        _draw_table(list(figures.values()))
    else:
        _draw_spread(comparison, figures)


def is_single(comparison: ComparisonRun) -> bool:
    """Whether every lane has one run."""
    return len(comparison.jobs) == len(comparison.lanes)


def figures_of(comparison: ComparisonRun) -> dict[Job, LaneFigures]:
    """The figures of the runs that are over."""
    table = prices()
    figures = {}
    for job, run in comparison.runs.items():
        if job not in comparison.marks:
            comparison.marks[job] = _mark(job, run)
            comparison.keep_alive()
        unmarked = lane_figures(say(comparison.lanes[job.lane].label), run, None, table)
        figures[job] = replace(unmarked, is_right=comparison.marks[job])
    return figures


def _mark(job: Job, run: Run) -> bool | None:
    try:
        return is_right(run.answer, job.expected) if job.expected else None
    except ExpectedError:  # a pattern that took too long on this very answer: not marked
        return None


def _draw_table(figures: Sequence[LaneFigures]) -> None:
    """The table with best and worst of each column marked."""
    import pandas as pd

    texts = table_texts(language())
    rows = as_rows(figures, texts)
    if not rows:
        return
    styled = pd.DataFrame(rows).style
    marks = best_and_worst(figures)
    for position, lane in enumerate(figures):
        for column in FIGURES:
            best, worst = marks.get(column, ((), ()))
            mark = "★ " if lane.name in best else "▽ " if lane.name in worst else ""
            about = "≈ " if lane.estimated and column in COUNTED else ""
            cell = pd.IndexSlice[[position], [texts[column]]]
            styled = styled.format(_formatter(mark + about, DECIMALS.get(column, 0)), na_rep="–", subset=cell)
            if mark:
                colour = "rgba(47,158,68,.25)" if mark.startswith("★") else "rgba(224,49,49,.2)"
                style = {"background-color": colour, "font-weight": "bold" if mark.startswith("★") else "normal"}
                styled = styled.set_properties(subset=cell, **style)
    order = [heading for heading in rows[0] if heading != texts["answer"]] + [texts["answer"]]
    st.dataframe(styled, hide_index=True, width="stretch", row_height=44, column_order=order)
    st.caption(say("compare.marks"))


def _formatter(prefix: str, decimals: int) -> Any:
    return lambda figure: f"{prefix}{figure:,.{decimals}f}"


def _draw_differences(comparison: ComparisonRun) -> None:
    agents = [lane.agent(comparison.jobs[0].language) for lane in comparison.lanes.values()]
    setups = [
        lane_setup(agent.start(""), templates_label(agent.name, agent.templates, agent.settings.language))
        for agent in agents
    ]
    keys = [say(f"compare.key_{key}") for key in differences_between(setups)]
    if keys:
        st.caption(f":orange[:material/balance:] {say('compare.differences', {'keys': ', '.join(keys)})}")


def spreads(comparison: ComparisonRun, figures: Mapping[Job, LaneFigures]) -> list[Spread]:
    """What the runs of each lane came to together."""
    return [
        spread(say(lane.label), [row for job, row in figures.items() if job.lane == lane.name])
        for lane in comparison.lanes.values()
    ]


def _draw_spread(comparison: ComparisonRun, figures: Mapping[Job, LaneFigures]) -> None:
    import pandas as pd

    rows = [_spread_row(each) for each in spreads(comparison, figures)]
    st.dataframe(pd.DataFrame(rows), hide_index=True, width="stretch", row_height=44)
    st.caption(say("compare.spread_caption"))


def _spread_row(each: Spread) -> dict[str, str]:
    texts = table_texts(language())
    about = "≈ " if each.estimated else ""
    row = {
        texts["name"]: each.name,
        say("compare.runs"): str(each.runs),
        say("compare.answered"): f"{each.answered} / {each.runs}",
    }
    if each.right is not None:
        row[say("compare.right")] = f"{each.right} / {each.runs}"
    for column, figures in each.ranges.items():
        decimals = DECIMALS.get(column, 0)
        prefix = about if column in COUNTED else ""
        middle = f"{figures.median:,.{decimals if decimals else 1}f}".removesuffix(".0")
        row[texts[column]] = f"{prefix}{middle} ({figures.least:,.{decimals}f} – {figures.most:,.{decimals}f})"
    return row


def prices() -> PriceTable:
    """The prices that the person set, or the shipped ones."""
    table: PriceTable = st.session_state.get("compare.prices") or shipped_prices()
    return table
