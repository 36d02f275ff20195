"""The spread of a lane that was run several times: median and range of each figure, and the answers with counts."""

import statistics
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from components.comparison_table import FIGURES, LaneFigures


@dataclass(frozen=True)
class Range:
    """A column's median, least and greatest figure."""

    median: float
    least: float
    most: float


@dataclass(frozen=True)
class Spread:
    """What several runs of a lane came to.

    `runs` are those that came to an end by themselves, `answered` those with an answer, `right` those that were right
    (None where nothing was expected). `ranges` has the columns with figures. `answers` are the distinct answers with
    counts, the most frequent first; `majority` is the first, or None where another is as frequent.
    """

    name: str
    runs: int
    answered: int
    right: int | None
    estimated: bool
    ranges: dict[str, Range]
    answers: tuple[tuple[str, int], ...]
    majority: str | None


def spread(name: str, figures: Sequence[LaneFigures]) -> Spread:
    """The spread of a lane's runs. Runs that go on or were stopped by a person are left out; failures are not."""
    runs = [run for run in figures if run.reason not in (None, "stopped")]
    marks = [run.is_right for run in runs if run.is_right is not None]
    counted = counted_answers([run.answer for run in runs if run.answer is not None])
    is_tie = len(counted) > 1 and counted[0][1] == counted[1][1]
    return Spread(
        name=name,
        runs=len(runs),
        answered=sum(run.answer is not None for run in runs),
        right=sum(marks) if marks else None,
        estimated=any(run.estimated for run in runs),
        ranges={column: found for column in FIGURES if (found := _range(runs, column))},
        answers=counted,
        majority=counted[0][0] if counted and not is_tie else None,
    )


def counted_answers(answers: Sequence[str]) -> tuple[tuple[str, int], ...]:
    """The distinct answers as first written, with counts, the most frequent first.

    Capitals, white space, full-width characters and a full stop at the end make no difference.

    >>> counted_answers(["No", "56 m", "56  M.", "５６ m"])
    (('56 m', 3), ('No', 1))
    """
    written: dict[str, str] = {}
    for answer in answers:
        written.setdefault(_folded(answer), answer)
    counts = Counter(map(_folded, answers)).most_common()
    return tuple((written[folded], count) for folded, count in counts)


def _folded(answer: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", answer).casefold().split()).rstrip(".。")


def _range(runs: Sequence[LaneFigures], column: str) -> Range | None:
    known = [figure for run in runs if (figure := run.figure(column)) is not None]
    return Range(statistics.median(known), min(known), max(known)) if known else None
