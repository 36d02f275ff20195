"""Draws a run while it goes on: loop diagram, totals, step cards, answer."""

import time
from collections.abc import Callable
from typing import Protocol

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.card_column import CardColumn
from components.live_run import LiveRun
from components.loop_diagram import active_state, draw_diagram
from components.paradigms import WATCHED
from components.run_summary import TotalsRow, draw_answer
from components.steps import Steps

SEEN = 0.4  # seconds for which a state of the loop is lit at least
TICK = 0.1  # seconds between two repaints; painting each token at 200 tokens/s would take an eighth of a core


class View(Protocol):
    """The drawing of something that goes on."""

    def update(self) -> bool:
        """Draws what has happened since the last time; returns whether there is more to come."""


class RunView:
    """The drawing of one run. It claims its places where it is made, and `update` repaints what has changed.

    `diagram` is the place of the loop diagram. `cards_open` opens the finished cards too. `draw_button` draws something
    to press into each card of a run that is over.
    """

    def __init__(
        self,
        live: LiveRun,
        diagram: DeltaGenerator,
        cards_open: bool = False,
        draw_button: Callable[[int], None] | None = None,
    ) -> None:
        self.live = live
        self._diagram = diagram
        self._steps = Steps()
        self._states: list[str | None] = []
        self._lit: str | None = None
        self._lit_at = 0.0
        self._totals = TotalsRow()
        self._cards = CardColumn(cards_open, draw_button=draw_button)
        self._answer = st.empty()
        draw_diagram(diagram, live.agent.name, None)
        self._seen = 0
        self._take()
        del self._states[:-1]  # a page that is drawn anew shows where the run is, not how it came there
        self._light_up()

    def update(self) -> bool:
        """Draws what has happened since the last time; returns whether the run goes on."""
        is_working = self.live.is_working  # asked first, so that what comes meanwhile is drawn by another update
        self._take()
        self._light_up()
        return is_working

    def _take(self) -> None:
        fresh, is_over = self.live.since(self._seen), self.live.is_over
        self._seen += len(fresh)
        for stamped in fresh:
            self._steps.take(stamped.event)
            state = active_state(self.live.agent.name, self._steps.steps, is_over)
            if not self._states or state != self._states[-1]:
                self._states.append(state)
        self._cards.take(fresh, is_over)
        self._totals.draw(self.live)
        if fresh and is_over:
            with self._answer.container():
                draw_answer(self.live.run)

    def _light_up(self) -> None:
        """Lights the states of the loop one after the other, each long enough to be seen although tools are quick."""
        if self.live.is_over:
            del self._states[:-1]
        if len(self._states) > 1 and time.monotonic() - self._lit_at >= SEEN:
            del self._states[0]
        if self._states and self._states[0] != self._lit:
            self._lit, self._lit_at = self._states[0], time.monotonic()
            draw_diagram(self._diagram, self.live.agent.name, self._lit)


def follow(*views: View) -> None:
    """Draws until all of it is over. A rerun of the page interrupts this and loses nothing."""
    is_going_on = True
    while is_going_on:
        states = [view.update() for view in views]
        is_going_on = any(states)
        _keep_all_alive()
        time.sleep(TICK)


def _keep_all_alive() -> None:
    """Keeps the runs of other pages alive: while this script draws, the sidebar's watch over them does not come on.

    Reading the session's state is also where a rerun of the page may come in.
    """
    for name in WATCHED:
        if (run := st.session_state.get(name)) is not None:
            run.keep_alive()
