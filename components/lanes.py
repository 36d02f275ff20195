"""The lanes of a comparison, side by side and all live: each with its clock, its cards, and its answer."""

import time
from collections.abc import Callable
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from agents.base import Agent
from agents.by_name import SWITCHES
from components.card_column import CardColumn
from components.comparison_run import ComparisonRun, Job
from components.live_run import LiveRun
from components.page_settings import is_phone
from components.run_summary import draw_answer, draw_failure
from components.safe_text import plain
from components.session_templates import templates_label
from components.texts import say

LaneButton = Callable[[Job, LiveRun, int], None]  # for this job's run, and the step with this number


class LanesView:
    """The drawing of a comparison while it goes on: in columns, on a phone in tabs, with the progress above them.

    `page` begins the keys of its buttons. `draw_button` draws something to press into each card; it is for runs that
    are over, whose cards are drawn once. `draw_figures` draws below the lanes, each time a run has ended. `cards_open`
    opens the finished cards too, `first` is the lane that a phone shows first.
    """

    def __init__(
        self,
        comparison: ComparisonRun,
        page: str,
        draw_button: LaneButton | None = None,
        draw_figures: Callable[[ComparisonRun], None] | None = None,
        cards_open: bool = False,
        first: str = "",
    ) -> None:
        self._comparison = comparison
        self._began = time.monotonic()
        self._done_before = len(comparison.runs)
        self._progress = st.empty()
        names = list(comparison.lanes)
        titles = [say(lane.label) for lane in comparison.lanes.values()]
        opened = titles[names.index(first)] if first else titles[0]
        places = st.tabs(titles, default=opened) if is_phone() else st.columns(len(names), border=True)
        self._views = [
            _LaneColumn(comparison, page, name, place, draw_button, cards_open)
            for name, place in zip(names, places, strict=True)
        ]
        self._figures, self._draw_figures = st.empty(), draw_figures
        self._done = 0
        self.update()

    def update(self) -> bool:
        """Draws what has happened since the last time; returns whether the comparison goes on."""
        self._comparison.keep_alive()
        is_working = self._comparison.is_working  # before drawing, so that what ends meanwhile is drawn once more
        for view in self._views:
            view.update()
        self._draw_progress()
        done = len(self._comparison.runs)
        if done != self._done and self._draw_figures is not None:
            self._done = done
            with self._figures.container():
                self._draw_figures(self._comparison)
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

    def __init__(
        self,
        comparison: ComparisonRun,
        page: str,
        name: str,
        place: DeltaGenerator,
        draw_button: LaneButton | None,
        cards_open: bool,
    ) -> None:
        self._comparison = comparison
        self._draw_button = draw_button
        self._cards_open = cards_open
        self._name = name
        self._job: Job | None = None
        self._seen = 0
        self._metered = ""
        with place:
            lane = comparison.lanes[name]
            st.markdown(f"#### {say(lane.label)}")
            st.caption(fair_line(lane.agent(comparison.jobs[0].language)))
            self._stop = st.empty()
            self._stop.button(
                say("compare.stop_lane"),
                key=f"{page}.stop.{name}",
                icon=":material/stop_circle:",
                type="tertiary",
                disabled=not comparison.is_working or comparison.is_stopped(name),
                on_click=comparison.stop,
                args=(name,),
            )
            self._meter = st.empty()
            self._bodies = st.container(gap=None)  # a place for each run: what one drew must not show in the next one
            self._body = self._bodies.empty()
        self._meter.caption(say("compare.waiting"))

    def update(self) -> None:
        begun = [job for job in list(self._comparison.live) if job.lane == self._name]
        if not begun:
            return
        live = self._comparison.live[begun[-1]]
        if begun[-1] != self._job:
            self._job = begun[-1]
            self._seen = 0
            self._body.empty()
            self._body = self._bodies.empty()
            with self._body.container():
                if len({job.question for job in self._comparison.jobs}) > 1:
                    st.caption(plain(self._job.question))
                if (times := max(job.time for job in self._comparison.jobs)) > 1:
                    st.caption(say("compare.which_run", {"time": str(self._job.time), "times": str(times)}))
                button = partial(self._draw_button, self._job, live) if self._draw_button else None
                self._cards = CardColumn(self._cards_open, is_narrow=True, draw_button=button)
                self._answer = st.empty()
        if not self._comparison.is_waiting(self._name):
            self._stop.empty()
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


def fair_line(agent: Agent) -> str:
    """What a lane's agent is set to, in one line."""
    settings = agent.start("").settings
    prompts = templates_label(agent.name, agent.templates, agent.settings.language)
    parts = [
        plain(agent.model.name),
        say("compare.temperature", {"t": f"{agent.settings.temperature:g}"}),
        say("compare.tools", {"tools": str(settings.get("tools") or say("compare.no_tools"))}),
        say("compare.prompts", {"variant": plain(prompts)}),
    ]
    for limit in ("max_steps", "max_rounds"):
        if limit in settings:
            parts.append(f"{say(f'summary.setting_{limit}')}: {settings[limit]}")
    off = [switch for switch in SWITCHES[agent.name] if not settings[switch]]
    parts += [f"**{say(f'page.without_{switch}')}**" for switch in off]
    return " · ".join(parts)
