"""What an experiment of the prompt lab came to: in what the versions differ, beside how their outcomes differ."""

from collections.abc import Mapping, Sequence

import streamlit as st

from agents.events import Draft, RunStarted
from agents.expected import ExpectedError
from agents.run import Run
from components.comparison_figures import figures_of, is_single
from components.comparison_results import draw_opening, draw_single_runs
from components.comparison_run import ComparisonRun
from components.comparison_table import LaneFigures
from components.lab_differences import draw_differences
from components.outcome import outcome_sentence
from components.outcome_table import draw_outcome_table, outcome_rows
from components.rounds import Flips, flips, flips_rows, flips_sentence
from components.safe_text import plain
from components.texts import say


def draw_results(comparison: ComparisonRun, hypothesis: str) -> None:
    """Draws what came of all versions, once the runs are over."""
    figures = figures_of(comparison)
    of_lane = {name: [row for job, row in figures.items() if job.lane == name] for name in comparison.lanes}
    titles = {name: say(lane.label) for name, lane in comparison.lanes.items()}
    setups = tested_setups(comparison)
    first, *others = comparison.lanes
    st.subheader(say("prompt_lab.outcome"), anchor=False)
    if hypothesis:
        st.info(f"**{say('prompt_lab.you_expected')}** {plain(hypothesis)}", icon=":material/lightbulb:")
    for name in others:
        with st.container(border=True):
            left, right = st.columns(2, gap="medium")
            with left:
                values = {"before": titles[first], "after": titles[name]}
                st.markdown(f"**{say('prompt_lab.differs', values)}**")
                draw_differences(setups[first], setups[name])
            with right:
                st.markdown(f"**{say('prompt_lab.came_of_it')}**")
                st.markdown(f"#### {_outcome(titles, of_lane, first, name)}")
    draw_outcome_table(outcome_rows(list(titles.values()), list(of_lane.values())))
    if not is_single(comparison):
        draw_single_runs(comparison, figures, "prompt_lab")
    _draw_flips(comparison, titles)
    draw_opening(comparison, "prompt_lab")


def tested_setups(comparison: ComparisonRun) -> dict[str, RunStarted]:
    """What each version was set to when it was run, by the name of its lane."""
    wanted = comparison.jobs[0].language
    return {name: lane.agent(wanted).start("") for name, lane in comparison.lanes.items()}


def _outcome(titles: Mapping[str, str], of_lane: Mapping[str, Sequence[LaneFigures]], first: str, name: str) -> str:
    """How the outcomes of two versions differ, or which of them never came to an end."""
    without = [titles[each] for each in (first, name) if not any(row.reason for row in of_lane[each])]
    if without:
        return say("prompt_lab.without_end", {"names": say("outcome.and").join(without)})
    return outcome_sentence(titles[first], of_lane[first], titles[name], of_lane[name])


def _draw_flips(comparison: ComparisonRun, titles: dict[str, str]) -> None:
    """For a reflection with an expected answer: which revisions made a version right, and which wrong."""
    found = {name: _flips_of(comparison, name) for name in titles}
    if not any(found.values()):
        return
    st.markdown(f"**{say('prompt_lab.flips')}**", help=say("prompt_lab.flips_help"))
    for name, runs in found.items():
        st.markdown(f"- {flips_sentence(titles[name], runs)}")
    st.dataframe(
        flips_rows(list(titles.values()), list(found.values())), hide_index=True, width="stretch", row_height=40
    )


def _flips_of(comparison: ComparisonRun, lane: str) -> list[Flips]:
    jobs = {job: run for job, run in comparison.runs.items() if job.lane == lane and job.expected}
    for job, run in jobs.items():
        if job not in comparison.flips:
            comparison.flips[job] = _marked(run, job.expected or "")
    return [found for job in jobs if (found := comparison.flips[job]) is not None]


def _marked(run: Run, expected: str) -> Flips | None:
    """The flips of a run with drafts; None where it has none, or where they cannot be marked."""
    if next(run.of(Draft), None) is None:
        return None
    try:
        return flips(run, expected)
    except ExpectedError:  # a pattern that took too long on a draft
        return None
