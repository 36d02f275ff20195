"""What is shown below the figures of a comparison once it is over: charts, answers, predictions, every single run."""

from collections.abc import Mapping, Sequence
from datetime import date
from functools import partial

import streamlit as st

from agents.by_name import SWITCHES, limit_in
from components.card_column import CardColumn
from components.comparison_charts import draw_timeline, draw_tokens_chart
from components.comparison_figures import figures_of, is_single, prices, spreads
from components.comparison_run import ComparisonRun, Job
from components.comparison_table import (
    Cell,
    LaneFigures,
    as_csv,
    as_rows,
    table_texts,
)
from components.live_run import LiveRun
from components.paradigms import PARADIGMS, lane_name
from components.prediction import Guess, Score, score_prediction
from components.prices import PriceTableError, price_table
from components.run_summary import draw_answer
from components.safe_text import plain
from components.session_templates import session_templates
from components.texts import language, say
from components.what_if import close_fork, draw_button


def draw_after(comparison: ComparisonRun) -> None:
    """What is shown below the figures once all runs are over."""
    figures = figures_of(comparison)
    if is_single(comparison):
        _draw_download(as_rows(list(figures.values()), table_texts(language())), "compare")
        _draw_scores(list(figures.values()))
        draw_opening(comparison, "compare")
        lanes = {say(comparison.lanes[job.lane].label): run for job, run in comparison.runs.items()}
        draw_tokens_chart(lanes)
        draw_timeline(lanes)
    else:
        _draw_answers(comparison, figures)
        draw_single_runs(comparison, figures, "compare")
    _draw_prices()


def _draw_download(rows: Sequence[Mapping[str, Cell]], page: str) -> None:
    st.download_button(
        say("compare.download"),
        as_csv(rows),
        file_name="comparison.csv",
        mime="text/csv",
        icon=":material/download:",
        type="tertiary",
        on_click="ignore",
        key=f"{page}.csv",
    )


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
    if score.is_hit is None:
        return f":material/help: {say(f'compare.not_scored_{guess}')}"
    icon = {True: ":green[:material/check_circle:]", False: ":red[:material/cancel:]", None: ":material/help:"}
    values = {
        "guess": plain(score.guess or "–"),
        "winners": plain(", ".join(score.winners) or "–"),
        "column": plain(table_texts(language())[score.column]),
    }
    return f"{icon[score.is_hit]} {say(f'compare.score_{guess}', values)}"


def draw_opening(comparison: ComparisonRun, page: str) -> None:
    """Draws a button for each paradigm's run that opens it on its own page. `page` begins the buttons' keys."""
    latest = {job.lane: live for job, live in comparison.live.items() if live.agent.name in PARADIGMS}
    if latest:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(say("compare.open_lane"), width="content")
            for name, live in latest.items():
                _draw_open_button(say(comparison.lanes[name].label), f"{page}.open.{name}", live)


def _draw_open_button(label: str, key: str, live: LiveRun) -> None:
    paradigm = PARADIGMS[live.agent.name]
    # The session is set in the callback: later, what the page shows of it would be drawn already.
    if st.button(label, key=key, type="tertiary", icon=paradigm.icon, on_click=_take_to_its_page, args=(live,)):
        st.switch_page(paradigm.page)


def _take_to_its_page(live: LiveRun) -> None:
    """Makes a run the one of its paradigm's page, with everything that it was set to."""
    state, agent = st.session_state, live.agent
    name, settings = agent.name, agent.start("").settings
    last: LiveRun | None = state.get(f"{name}.run")
    if last is not None and last is not live:
        last.stop()
        state[f"{name}.previous"] = last.run
    close_fork(name)  # it would be shown in the run's place
    state[f"{name}.run"] = live
    state[f"{name}.turn"] = 1 - state.get(f"{name}.turn", 0)
    state[f"{name}.question"] = live.question
    state[f"{name}.temperature"] = agent.settings.temperature
    state[f"{name}.limit"] = limit_in(settings)
    state[f"{name}.tools"] = [tool for tool in str(settings.get("tools", "")).split(", ") if tool]
    for switch in SWITCHES[name]:
        state[f"{name}.{switch}"] = settings[switch]
    for template in session_templates(name, agent.settings.language):
        if template.text != agent.templates[template.role]:
            template.replace(agent.templates[template.role])


def _draw_answers(comparison: ComparisonRun, figures: Mapping[Job, LaneFigures]) -> None:
    if len({job.number for job in comparison.jobs}) > 1:
        return  # answers to different questions are not to be counted together
    for each in spreads(comparison, figures):
        counted = "  \n".join(f"{count} × {plain(answer[:200])}" for answer, count in each.answers)
        majority = plain(each.majority[:200]) if each.majority else say("compare.no_majority")
        with st.expander(f"{each.name}: {say('compare.majority', {'answer': majority})}"):
            st.markdown(counted or "–")


def draw_single_runs(comparison: ComparisonRun, figures: Mapping[Job, LaneFigures], page: str) -> None:
    """Draws the figures of every single run, and the cards of the one that is chosen. `page` is the one it is on."""
    import pandas as pd

    labels: list[dict[str, Cell]] = [
        {say("compare.question_column"): job.question, say("compare.time"): job.time} for job in figures
    ]
    cells = as_rows(list(figures.values()), table_texts(language()))
    rows = [label | row for label, row in zip(labels, cells, strict=True)]
    with st.expander(say("compare.single_runs"), icon=":material/list:"):
        st.dataframe(pd.DataFrame(rows), hide_index=True, width="stretch")
        _draw_download(rows, page)
        titles = {name: say(lane.label) for name, lane in comparison.lanes.items()}
        names = {job: f"{titles[job.lane]} · {job.time} · {job.question[:80]}" for job in figures}
        chosen = st.selectbox(
            say("compare.open_run"), list(names), index=None, format_func=names.__getitem__, key=f"{page}.opened"
        )
        if chosen is not None:
            _draw_one(comparison.live[chosen], chosen, page)


def _draw_one(live: LiveRun, job: Job, page: str) -> None:
    """One run with all its cards; a paradigm's can be opened on its page to go on from."""
    if live.agent.name in PARADIGMS:
        _draw_open_button(say("compare.open_lane"), f"{page}.open", live)
    button = partial(draw_button, page, live, f"{page}.single", job.expected)
    CardColumn(draw_button=button).take(live.run.events, is_over=True)
    draw_answer(live.run)


def _draw_prices() -> None:
    table = prices()
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
