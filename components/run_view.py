"""Draws a run while it goes on: loop diagram, totals, step cards, answer. One drawing loop may follow several runs."""

import time
from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from agents.events import Draft, ReplyDelta, Stamped
from components.live_run import LiveRun
from components.loop_diagram import active_state, draw_diagram
from components.run_summary import TotalsRow, draw_answer
from components.step_cards import draw_card, draw_checklist, draw_live_text
from components.steps import Steps

SEEN = 0.4  # seconds for which a state of the loop is lit at least
TICK = 0.1  # seconds between two repaints; painting each token at 200 tokens/s would take an eighth of a core


class RunView:
    """The drawing of one run. It claims its places where it is made, and `update` repaints what has changed.

    `diagram` is the place of the loop diagram. `cards_open` opens the finished cards too.
    """

    def __init__(self, live: LiveRun, diagram: DeltaGenerator, cards_open: bool = False) -> None:
        self.live = live
        self._diagram = diagram
        self._cards_open = cards_open
        self._steps = Steps()
        self._states: list[str | None] = []
        self._lit: str | None = None
        self._lit_at = 0.0
        self._totals = TotalsRow()
        self._plan = st.empty()
        self._cards = st.container(gap="xsmall")
        self._places: list[DeltaGenerator] = []
        self._live_text: DeltaGenerator | None = None
        self._answer = st.empty()
        draw_diagram(diagram, live.agent.name, None)
        live.drain()
        self._take(live.run.events)
        del self._states[:-1]  # a page that is drawn anew shows where the run is, not how it came there
        self._draw(range(len(self._steps.steps)))

    def update(self) -> None:
        """Draws what has happened since the last time."""
        first_to_change = max(0, len(self._steps.steps) - 2)
        fresh = self.live.drain()
        self._take(fresh)
        if any(not isinstance(stamped.event, ReplyDelta) for stamped in fresh):
            self._draw(range(first_to_change, len(self._steps.steps)))
            return
        if fresh and self._live_text is not None:
            draw_live_text(self._live_text, self._steps.steps[-1])
        self._draw(range(0))

    def _take(self, fresh: Sequence[Stamped]) -> None:
        for stamped in fresh:
            self._steps.take(stamped.event)
            state = active_state(self.live.agent.name, self._steps.steps, self.live.run.ended is not None)
            if not self._states or state != self._states[-1]:
                self._states.append(state)

    def _draw(self, changed: range) -> None:
        """Draws the cards at these positions, and all that is about the whole run."""
        for position in changed:
            self._draw_card(position)
        if changed:
            draw_checklist(self._plan, self._steps.steps)
        self._light_up()
        self._totals.draw(self.live)
        if self.live.run.ended:
            with self._answer.container():
                draw_answer(self.live.run)

    def _draw_card(self, position: int) -> None:
        while len(self._places) <= position:
            self._places.append(self._cards.empty())
        steps = self._steps.steps
        from_end = len(steps) - 1 - position
        is_going_on = self.live.run.ended is None
        # The card before the live one stays open too: what a quick tool returned could not be read otherwise.
        is_open = self._cards_open or (is_going_on and from_end <= 1)
        is_live = is_going_on and from_end == 0
        self._live_text = draw_card(
            self._places[position], steps[position], is_live, is_open, self._draft_before(position)
        )

    def _draft_before(self, position: int) -> str:
        outcomes = (outcome for step in self._steps.steps[:position] for outcome in step.outcomes)
        drafts = [outcome.text for outcome in outcomes if isinstance(outcome, Draft)]
        return drafts[-1] if drafts else ""

    def _light_up(self) -> None:
        """Lights the states of the loop one after the other, each long enough to be seen although tools are quick."""
        if self.live.run.ended:
            del self._states[:-1]
        if len(self._states) > 1 and time.monotonic() - self._lit_at >= SEEN:
            del self._states[0]
        if self._states and self._states[0] != self._lit:
            self._lit, self._lit_at = self._states[0], time.monotonic()
            draw_diagram(self._diagram, self.live.agent.name, self._lit)


def follow(*views: RunView) -> None:
    """Draws runs until all of them are over. A rerun of the page interrupts this and loses nothing."""
    while any(view.live.is_going_on for view in views):
        time.sleep(TICK)
        for view in views:
            view.update()
        st.session_state.get("language")  # reading the state is where a rerun may come in
