"""What came of a comparison: the table, the charts, the spread of several runs, and whether it had been predicted."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import streamlit as st

from agents.expected import ExpectedError, is_right
from agents.run import Run
from components.comparison_charts import draw_timeline, draw_tokens_chart
from components.comparison_run import ComparisonRun, Job, Lane
from components.comparison_table import (
    FIGURES,
    Cell,
    LaneFigures,
    as_csv,
    as_rows,
    best_and_worst,
    differences_between,
    lane_figures,
    lane_setup,
    table_texts,
)
from components.live_run import LiveRun
from components.paradigms import PARADIGMS, lane_name
from components.prediction import Guess, Score, score_prediction
from components.prices import PriceTable, PriceTableError, price_table, shipped_prices
from components.question_set import Question
from components.safe_text import plain
from components.session_templates import session_templates
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


def draw_after(comparison: ComparisonRun) -> None:
    """What is shown below the figures once all runs are over."""
    figures = figures_of(comparison)
    if is_single(comparison):
        _draw_download(as_rows(list(figures.values()), table_texts(language())))
        _draw_scores(list(figures.values()))
        _draw_opening(comparison)
        lanes = {lane_name(job.lane): run for job, run in comparison.runs.items()}
        draw_tokens_chart(lanes)
        draw_timeline(lanes)
    else:
        _draw_answers(comparison, figures)
        _draw_single_runs(comparison, figures)
    _draw_prices()


def is_single(comparison: ComparisonRun) -> bool:
    """Whether every lane has one run."""
    return len(comparison.jobs) == len(comparison.lanes)


def figures_of(comparison: ComparisonRun) -> dict[Job, LaneFigures]:
    """The figures of the runs that are over."""
    prices = _prices()
    figures = {}
    for job, run in comparison.runs.items():
        if job not in comparison.marks:
            comparison.marks[job] = _mark(job, run)
            comparison.keep_alive()
        unmarked = lane_figures(lane_name(job.lane), run, None, prices)
        figures[job] = replace(unmarked, is_right=comparison.marks[job])
    return figures


def _mark(job: Job, run: Run) -> bool | None:
    questions: list[Question] = st.session_state["compare.questions"]
    expected = questions[job.number].expected
    try:
        return is_right(run.answer, expected) if expected else None
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


def _draw_download(rows: Sequence[Mapping[str, Cell]]) -> None:
    st.download_button(
        say("compare.download"),
        as_csv(rows),
        file_name="comparison.csv",
        mime="text/csv",
        icon=":material/download:",
        type="tertiary",
        on_click="ignore",
        key="compare.csv",
    )


def _formatter(prefix: str, decimals: int) -> Any:
    return lambda figure: f"{prefix}{figure:,.{decimals}f}"


def _draw_differences(comparison: ComparisonRun) -> None:
    setups = [lane_setup(lane.agent(language()).start(""), lane.variant) for lane in comparison.lanes.values()]
    keys = [say(f"compare.key_{key}") for key in differences_between(setups)]
    if keys:
        st.caption(f":orange[:material/balance:] {say('compare.differences', {'keys': ', '.join(keys)})}")


def _draw_scores(figures: Sequence[LaneFigures]) -> None:
    predicted: dict[Guess, str] = st.session_state.get("compare.prediction", {})
    if not predicted:
        return
    scores = score_prediction({guess: lane_name(name) for guess, name in predicted.items()}, figures)
    with st.container(border=True):
        st.markdown(f"**{say('compare.prediction_title')}**")
        for guess, score in scores.items():
            st.markdown(_score_line(guess, score))


def _score_line(guess: Guess, score: Score) -> str:
    icon = {True: ":green[:material/check_circle:]", False: ":red[:material/cancel:]", None: ":material/help:"}
    values = {
        "guess": plain(score.guess or "–"),
        "winners": plain(", ".join(score.winners) or "–"),
        "column": plain(table_texts(language())[score.column]),
    }
    return f"{icon[score.is_hit]} {say(f'compare.score_{guess}', values)}"


def _draw_opening(comparison: ComparisonRun) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(say("compare.open_lane"), width="content")
        for job, live in comparison.live.items():
            if job.lane in PARADIGMS and st.button(
                lane_name(job.lane), key=f"compare.open.{job.lane}", type="tertiary", icon=PARADIGMS[job.lane].icon
            ):
                open_on_its_page(job, live, comparison.lanes[job.lane])


def open_on_its_page(job: Job, live: LiveRun, lane: Lane) -> None:
    """Opens a lane's run on the page of its paradigm, with everything that was set."""
    state = st.session_state
    last: LiveRun | None = state.get(f"{job.lane}.run")
    if last is not None and last is not live:
        last.stop()
        state[f"{job.lane}.previous"] = last.run
    state[f"{job.lane}.run"] = live
    state[f"{job.lane}.question"] = job.question
    state[f"{job.lane}.temperature"] = lane.settings.temperature
    state[f"{job.lane}.limit"] = lane.limit
    state[f"{job.lane}.closes"] = lane.closes
    state[f"{job.lane}.tools"] = list(lane.toolboxes[job.language].names)
    for template in session_templates(job.lane, job.language):
        if template.text != lane.templates[job.language][template.role]:
            template.replace(lane.templates[job.language][template.role])
    st.switch_page(PARADIGMS[job.lane].page)


def _spreads(comparison: ComparisonRun, figures: Mapping[Job, LaneFigures]) -> list[Spread]:
    return [
        spread(lane_name(name), [row for job, row in figures.items() if job.lane == name]) for name in comparison.lanes
    ]


def _draw_spread(comparison: ComparisonRun, figures: Mapping[Job, LaneFigures]) -> None:
    import pandas as pd

    rows = [_spread_row(each) for each in _spreads(comparison, figures)]
    st.dataframe(pd.DataFrame(rows), hide_index=True, width="stretch", row_height=44)
    st.caption(say("compare.spread_caption"))


def _draw_answers(comparison: ComparisonRun, figures: Mapping[Job, LaneFigures]) -> None:
    if len({job.number for job in comparison.jobs}) > 1:
        return  # answers to different questions are not to be counted together
    for each in _spreads(comparison, figures):
        counted = "  \n".join(f"{count} × {plain(answer[:200])}" for answer, count in each.answers)
        majority = plain(each.majority[:200]) if each.majority else say("compare.no_majority")
        with st.expander(f"{each.name}: {say('compare.majority', {'answer': majority})}"):
            st.markdown(counted or "–")


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


def _draw_single_runs(comparison: ComparisonRun, figures: Mapping[Job, LaneFigures]) -> None:
    import pandas as pd

    labels: list[dict[str, Cell]] = [
        {say("compare.question_column"): job.question, say("compare.time"): job.time} for job in figures
    ]
    cells = as_rows(list(figures.values()), table_texts(language()))
    rows = [label | row for label, row in zip(labels, cells, strict=True)]
    with st.expander(say("compare.single_runs"), icon=":material/list:"):
        st.dataframe(pd.DataFrame(rows), hide_index=True, width="stretch")
        _draw_download(rows)
        names = {
            job: f"{lane_name(job.lane)} · {job.time} · {job.question[:80]}" for job in figures if job.lane in PARADIGMS
        }
        chosen = st.selectbox(
            say("compare.open_run"), list(names), index=None, format_func=names.__getitem__, key="compare.opened"
        )
        if chosen is not None and st.button(say("compare.open_lane"), key="compare.open"):
            open_on_its_page(chosen, comparison.live[chosen], comparison.lanes[chosen.lane])


def _prices() -> PriceTable:
    table: PriceTable = st.session_state.get("compare.prices") or shipped_prices()
    return table


def _draw_prices() -> None:
    table = _prices()
    with st.expander(say("compare.prices"), icon=":material/payments:"):
        st.caption(say("prices.note", {"date": table.as_of.isoformat()}))
        edited = st.data_editor(
            table.as_rows(),
            num_rows="dynamic",
            key="compare.price_editor",
            width="stretch",
            column_config={
                "model": st.column_config.TextColumn(say("prices.model"), help=say("prices.model_help")),
                "input": st.column_config.NumberColumn(say("prices.input")),
                "cached_input": st.column_config.NumberColumn(
                    say("prices.cached_input"), help=say("prices.cached_input_help")
                ),
                "output": st.column_config.NumberColumn(say("prices.output")),
            },
        )
        if st.button(say("compare.use_prices"), key="compare.use_prices"):
            try:
                st.session_state["compare.prices"] = price_table(edited, date.today())
            except PriceTableError as error:
                st.error(plain(error.describe(language())))
            else:
                st.rerun()
