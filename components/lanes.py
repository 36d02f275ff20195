"""The lanes of a comparison, side by side and all live: each with its clock, its cards, and its answer."""

import time

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.card_column import CardColumn
from components.comparison_figures import draw_figures
from components.comparison_run import ComparisonRun, Job, Lane
from components.live_run import LiveRun
from components.page_settings import is_phone
from components.paradigms import lane_name
from components.run_summary import draw_answer, draw_failure
from components.safe_text import plain
from components.texts import say


class LanesView:
    """The drawing of a comparison while it goes on: in columns, on a phone in tabs, with the progress above them."""

    def __init__(self, comparison: ComparisonRun) -> None:
        self._comparison = comparison
        self._began = time.monotonic()
        self._done_before = len(comparison.runs)
        self._progress = st.empty()
        names = list(comparison.lanes)
        places = st.tabs([lane_name(name) for name in names]) if is_phone() else st.columns(len(names), border=True)
        self._views = {name: _LaneColumn(comparison, name, place) for name, place in zip(names, places, strict=True)}
        self._figures = st.empty()
        self._done = 0
        self.update()

    def update(self) -> bool:
        """Draws what has happened since the last time; returns whether the comparison goes on."""
        self._comparison.keep_alive()
        is_working = self._comparison.is_working  # before drawing, so that what ends meanwhile is drawn once more
        for view in self._views.values():
            view.update()
        self._draw_progress()
        done = len(self._comparison.runs)
        if done != self._done:
            self._done = done
            with self._figures.container():
                draw_figures(self._comparison)
        return is_working

    def _draw_progress(self) -> None:
        total, done = self._comparison.expected_runs, len(self._comparison.runs)
        if total <= len(self._comparison.lanes):
            return
        values = {"done": str(done), "total": str(total)}
        text = say("compare.progress", values)
        if self._comparison.is_working and done > self._done_before:
            pace = (time.monotonic() - self._began) / (done - self._done_before)
            text += say("compare.time_left", {"s": f"{pace * (total - done):.0f}"})
        self._progress.progress(done / max(1, total), text)


class _LaneColumn:
    """One lane: its head with what it is set to, and the run that it is at."""

    def __init__(self, comparison: ComparisonRun, name: str, place: DeltaGenerator) -> None:
        self._comparison = comparison
        self._name = name
        self._job: Job | None = None
        self._seen = 0
        self._metered = ""
        with place:
            lane = comparison.lanes[name]
            st.markdown(f"#### {lane_name(name)}")
            st.caption(fair_line(lane))
            st.button(
                say("compare.stop_lane"),
                key=f"compare.stop.{name}",
                icon=":material/stop_circle:",
                type="tertiary",
                disabled=not comparison.is_working or comparison.is_stopped(name),
                on_click=comparison.stop,
                args=(name,),
            )
            self._meter = st.empty()
            self._bodies = (st.empty(), st.empty())  # in turn: what the last run drew must not show in the next one
        self._meter.caption(say("compare.waiting"))

    def update(self) -> None:
        begun = [job for job in list(self._comparison.live) if job.lane == self._name]
        if not begun:
            return
        live = self._comparison.live[begun[-1]]
        if begun[-1] != self._job:
            self._job = begun[-1]
            self._seen = 0
            self._bodies[len(begun) % 2].empty()
            with self._bodies[(len(begun) + 1) % 2].container():
                if len({job.question for job in self._comparison.jobs}) > 1:
                    st.caption(plain(self._job.question))
                self._cards = CardColumn(is_narrow=True)
                self._answer = st.empty()
        fresh, is_over = live.since(self._seen), live.is_over
        self._seen += len(fresh)
        self._cards.take(fresh, is_over)
        self._draw_meter(live)
        if is_over and (fresh or live.failure):
            with self._answer.container():
                draw_failure(live)
                draw_answer(live.run, is_narrow=True)

    def _draw_meter(self, live: LiveRun) -> None:
        totals = live.run.totals
        about = "≈ " if totals.estimated else ""
        values = {
            "s": f"{live.seconds:.1f}",
            "steps": f"{totals.steps}",
            "tokens": f"{about}{totals.input_tokens + totals.output_tokens:,}",
        }
        meter = f"**{say('compare.meter', values)}**"
        if meter != self._metered:
            self._metered = meter
            self._meter.markdown(meter)


def fair_line(lane: Lane) -> str:
    """What the lane is set to, in one line."""
    tools = ", ".join(next(iter(lane.toolboxes.values())).names) if lane.name == "react" else say("compare.no_tools")
    parts = [
        plain(lane.model.name),
        say("compare.temperature", {"t": f"{lane.settings.temperature:g}"}),
        say("compare.tools", {"tools": tools}),
        say("compare.prompts", {"variant": plain(lane.variant)}),
    ]
    if lane.name != "direct":
        parts.append(f"{say(f'paradigms.{lane.name}_limit')}: {lane.limit}")
    return " · ".join(parts)
