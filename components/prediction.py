"""Predict first: which lane the class thinks will be right, cheapest and fastest, and whether it was."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from components.comparison_table import LESS_IS_BETTER, LaneFigures

Guess = Literal["right", "cheapest", "fastest"]


@dataclass(frozen=True)
class Score:
    """How a guess turned out. `winners` are the lanes that it was true of, `column` is what they won by.

    `is_hit` is None where nothing was guessed or nothing can be said: no answer was expected, or no lane answered.
    """

    guess: str | None
    winners: tuple[str, ...]
    column: str
    is_hit: bool | None


def score_prediction(prediction: Mapping[Guess, str | None], figures: Sequence[LaneFigures]) -> dict[Guess, Score]:
    """The score of each guess (the name of a lane, or None) against finished lanes.

    Only lanes with an answer can be cheapest or fastest, and those that tie win together. Cheapest is by cost where
    all of them have one that is not nothing, else by tokens.
    """
    answered = [lane for lane in figures if lane.answer is not None]
    marked = [lane for lane in figures if lane.is_right is not None]
    has_costs = all(lane.cost is not None for lane in answered) and any(lane.cost for lane in answered)
    by_cost = "cost" if has_costs else "total_tokens"
    right = tuple(lane.name for lane in marked if lane.is_right)
    return {
        "right": _score(prediction.get("right"), right, "is_right", bool(marked)),
        "cheapest": _score(prediction.get("cheapest"), _least(answered, by_cost), by_cost, bool(answered)),
        "fastest": _score(prediction.get("fastest"), _least(answered, "seconds"), "seconds", bool(answered)),
    }


def _score(guess: str | None, winners: tuple[str, ...], column: str, can_be_said: bool) -> Score:
    return Score(guess, winners, column, guess in winners if can_be_said and guess is not None else None)


def _least(lanes: Sequence[LaneFigures], column: str) -> tuple[str, ...]:
    decimals = LESS_IS_BETTER[column]
    known = [(lane.name, round(figure, decimals)) for lane in lanes if (figure := lane.figure(column)) is not None]
    least = min((figure for _, figure in known), default=None)
    return tuple(name for name, figure in known if figure == least)
