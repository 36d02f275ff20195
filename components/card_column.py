"""The step cards of one run, one below the other, drawn as its events come."""

from collections.abc import Callable, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from agents.events import ReplyDelta, Stamped
from components.step_cards import draw_card, draw_checklist, draw_live_text
from components.steps import Steps


class CardColumn:
    """Claims a place where it is made. `take` draws what new events changed: most of them change the live text alone.

    `is_open` opens finished cards too; `is_narrow` is for lanes side by side. `draw_button` draws something to press
    into the card of the step with this number; it is for runs that are over, whose cards are drawn once.
    """

    def __init__(
        self, is_open: bool = False, is_narrow: bool = False, draw_button: Callable[[int], None] | None = None
    ) -> None:
        self._draw_button = draw_button
        self.steps = Steps()
        self._is_open = is_open
        self._is_narrow = is_narrow
        self._plan = st.empty()
        self._cards = st.container(gap="xsmall")
        self._places: list[DeltaGenerator] = []
        self._live_text: DeltaGenerator | None = None

    def take(self, fresh: Sequence[Stamped], is_over: bool) -> None:
        """Adds these events and draws what they changed. `is_over` says that the run has ended with them."""
        first_to_change = max(0, len(self.steps.steps) - 2)
        for stamped in fresh:
            self.steps.take(stamped.event)
        if any(not isinstance(stamped.event, ReplyDelta) for stamped in fresh):
            if not self._is_narrow:
                draw_checklist(self._plan, self.steps.steps, is_over)
            for position in range(first_to_change, len(self.steps.steps)):
                self._draw_card(position, is_over)
        elif fresh and self._live_text is not None:
            draw_live_text(self._live_text, self.steps.steps[-1], is_live=True)

    def _draw_card(self, position: int, is_over: bool) -> None:
        while len(self._places) <= position:
            self._places.append(self._cards.empty())
        from_end = len(self.steps.steps) - 1 - position
        # The card before the live one stays open too: what a quick tool returned could not be read otherwise.
        # So does one with an invented observation: what is struck through is the lesson.
        is_invented = "invented_observation" in self.steps.steps[position].rules
        is_open = self._is_open or is_invented or (not is_over and from_end <= 1)
        is_live = not is_over and from_end == 0
        self._live_text = draw_card(
            self._places[position], self.steps, position, is_live, is_open, self._is_narrow, self._draw_button
        )
