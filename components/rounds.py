"""Which drafts of Reflection were right, and at which revisions that flipped: found by marking every draft.

A revision makes version n + 1 of version n, so the flip of revision n happened at version n + 1. Nothing is drawn here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from agents.events import Draft
from agents.expected import is_right
from agents.run import Run
from components.comparison_table import Cell
from components.safe_text import plain
from components.texts import say

WRONG_TO_RIGHT, RIGHT_TO_WRONG = (False, True), (True, False)


@dataclass(frozen=True)
class Flips:
    """Whether each of a run's versions was right, in order; a run that failed early has none."""

    versions: tuple[bool, ...]

    @property
    def revisions(self) -> int:
        """How often the draft was revised, changed or not."""
        return max(0, len(self.versions) - 1)

    @property
    def wrong_to_right(self) -> tuple[int, ...]:
        """The numbers of the versions that are right where the one before was wrong."""
        return versions_after(self.versions, WRONG_TO_RIGHT)

    @property
    def right_to_wrong(self) -> tuple[int, ...]:
        """The numbers of the versions that are wrong where the one before was right."""
        return versions_after(self.versions, RIGHT_TO_WRONG)


def flips(run: Run, expected: str) -> Flips:
    """The marks of a run's drafts so far. Raises ExpectedError as `is_right` does."""
    return Flips(tuple(is_right(draft.text, expected) for draft in run.of(Draft)))


def versions_after(versions: Sequence[bool], turn: tuple[bool, bool]) -> tuple[int, ...]:
    """The numbers of the versions, counted from 1, that end this turn from one version to the next.

    >>> versions_after([False, True, True, False, True], (False, True))
    (2, 5)
    >>> versions_after([False, True, True, False, True], (True, False)), versions_after([True], (True, False))
    ((4,), ())
    """
    return tuple(number for number, pair in enumerate(pairwise(versions), start=2) if pair == turn)


def flips_sentence(name: str, runs: Sequence[Flips]) -> str:
    """How often revising mended a draft and how often it spoilt one, in one sentence of Markdown.

    One run names the versions, several are counted together. Runs without a draft are left out.
    """
    drafted = [run for run in runs if run.versions]
    if not drafted:
        return say("rounds.no_draft", {"name": plain(name)})
    is_one = len(drafted) == 1
    revisions = sum(run.revisions for run in drafted)
    gained = [version for run in drafted for version in run.wrong_to_right]
    lost = [version for run in drafted for version in run.right_to_wrong]
    right_first = sum(run.versions[0] for run in drafted)
    values = {
        "name": plain(name) if is_one else say("rounds.of_runs", {"name": plain(name), "runs": f"{len(drafted)}"}),
        "revisions": say("rounds.revision_one" if revisions == 1 else "rounds.revision_many", {"n": f"{revisions}"}),
        "gained": f"{len(gained)}",
        "lost": f"{len(lost)}",
        "at_gained": _at(gained) if is_one else "",
        "at_lost": _at(lost) if is_one else "",
        "right": f"{right_first}",
        "of": f"{len(drafted)}",
        "versions": f"{len(drafted[0].versions)}",
    }
    mark = "right" if right_first else "wrong"
    if not revisions:
        return say(f"rounds.not_revised_{mark}" if is_one else "rounds.never_revised", values)
    if not gained and not lost:
        return say(f"rounds.stayed_{mark}" if is_one else "rounds.no_flip", values)
    return say("rounds.flipped", values)


def _at(versions: Sequence[int]) -> str:
    if not versions:
        return ""
    numbers = say("rounds.comma").join(map(str, versions))
    return say("rounds.at_one" if len(versions) == 1 else "rounds.at_many", {"numbers": numbers})


def flips_rows(names: Sequence[str], runs_per_name: Sequence[Sequence[Flips]]) -> list[dict[str, Cell]]:
    """A row for each name and revision, by heading, with counts over the runs that got as far as that revision."""
    return [
        _row(name, number, [run.versions[number - 1 : number + 1] for run in runs if run.revisions >= number])
        for name, runs in zip(names, runs_per_name, strict=True)
        for number in range(1, max((run.revisions for run in runs), default=0) + 1)
    ]


def _row(name: str, number: int, pairs: Sequence[tuple[bool, ...]]) -> dict[str, Cell]:
    return {
        say("rounds.name"): name,
        say("rounds.revision"): number,
        say("compare.runs"): len(pairs),
        say("rounds.right_before"): sum(before for before, _ in pairs),
        say("rounds.right_after"): sum(after for _, after in pairs),
        say("rounds.wrong_to_right"): pairs.count(WRONG_TO_RIGHT),
        say("rounds.right_to_wrong"): pairs.count(RIGHT_TO_WRONG),
    }
