"""The comparison table as figures: what each lane's run came to, what is best and worst, and the rows to show.

A lane is one agent's run of the question. Everything is computed from its events; nothing is drawn here.
"""

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agents import wording
from agents.events import EndReason, Language, RunStarted, Scalar
from agents.expected import is_right
from agents.run import Run
from components.prices import PriceTable

Cell = str | int | float | None

# The columns of figures in the order of the table.
FIGURES = (
    "steps",
    "model_calls",
    "tool_calls",
    "format_slips",
    "input_tokens",
    "output_tokens",
    "total_tokens",
    "seconds",
    "first_token_seconds",
    "model_seconds",
    "tool_seconds",
    "cost",
)

# The columns in which less is better, with the decimals that count: a difference nobody can see is none. Steps and
# tools are not among them: they say how an agent works, and one that looks something up is not worse for it.
LESS_IS_BETTER = {
    "model_calls": 0,
    "format_slips": 0,
    "input_tokens": 0,
    "output_tokens": 0,
    "total_tokens": 0,
    "seconds": 1,
    "first_token_seconds": 1,
    "model_seconds": 1,
    "cost": 6,
}


@dataclass(frozen=True)
class LaneFigures:
    """One row of the table. Times are in seconds, `cost` is in US dollars and None where nobody can say.

    `estimated` is true where tokens (and with them the cost) were counted from the text. `reason` is None while the
    run goes on, `is_right` where nothing was expected.
    """

    name: str
    steps: int
    model_calls: int
    tool_calls: int
    format_slips: int
    input_tokens: int
    output_tokens: int
    estimated: bool
    seconds: float
    first_token_seconds: float | None
    model_seconds: float
    tool_seconds: float
    cost: float | None
    reason: EndReason | None
    answer: str | None
    is_right: bool | None

    @property
    def total_tokens(self) -> int:
        """Tokens in and out."""
        return self.input_tokens + self.output_tokens

    def figure(self, column: str) -> float | None:
        """The figure in one of the columns FIGURES."""
        figure: float | None = getattr(self, column)
        return figure


def lane_figures(name: str, run: Run, expected: str | None, prices: PriceTable) -> LaneFigures:
    """The figures of a run, finished or not. A run that goes on is not marked yet.

    Raises ExpectedError where `agents.expected` cannot mark with what was expected.
    """
    totals = run.totals
    return LaneFigures(
        name=name,
        steps=totals.steps,
        model_calls=totals.model_calls,
        tool_calls=totals.tool_calls,
        format_slips=totals.format_slips,
        input_tokens=totals.input_tokens,
        output_tokens=totals.output_tokens,
        estimated=totals.estimated,
        seconds=totals.seconds,
        first_token_seconds=totals.first_token_seconds,
        model_seconds=totals.model_seconds,
        tool_seconds=totals.tool_seconds,
        cost=prices.cost(totals, run.started.model) if run.started else None,
        reason=run.reason,
        answer=run.answer,
        is_right=is_right(run.answer, expected) if expected and run.reason else None,
    )


def best_and_worst(figures: Sequence[LaneFigures]) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """The names of the best and of the worst lanes in each column where lanes differ; ties are all named.

    Only a lane with an answer can be best, since giving up is cheap; any finished lane can be worst. A column needs
    the figures of two finished lanes. In "is_right" the right lanes are best and the wrong ones worst.
    """
    finished = [lane for lane in figures if lane.reason]
    found: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}
    right = tuple(lane.name for lane in finished if lane.is_right is True)
    wrong = tuple(lane.name for lane in finished if lane.is_right is False)
    if right and wrong:
        found["is_right"] = right, wrong
    for column, decimals in LESS_IS_BETTER.items():
        known = [(lane, round(figure, decimals)) for lane in finished if (figure := lane.figure(column)) is not None]
        answered = [figure for lane, figure in known if lane.answer is not None]
        if len(known) < 2 or not answered:
            continue
        best, worst = min(answered), max(figure for _, figure in known)
        if best < worst:
            found[column] = (
                tuple(lane.name for lane, figure in known if figure == best and lane.answer is not None),
                tuple(lane.name for lane, figure in known if figure == worst),
            )
    return found


def table_texts(language: Language) -> dict[str, str]:
    """The headings and words of the table, for `as_rows`."""
    entries = wording.load("components.texts", "comparison_table")
    return {name: entry[language] for name, entry in entries.items()}


def as_rows(figures: Sequence[LaneFigures], texts: Mapping[str, str]) -> list[dict[str, Cell]]:
    """The table by heading, for a DataFrame and for CSV: figures are plain numbers, whatever is unknown is None.

    The column "is_right" is there where any lane is marked.
    """
    marked = any(lane.is_right is not None for lane in figures)
    return [_row(lane, texts, marked) for lane in figures]


def _row(lane: LaneFigures, texts: Mapping[str, str], marked: bool) -> dict[str, Cell]:
    cells: dict[str, Cell] = {"name": lane.name}
    if marked:
        cells["is_right"] = {True: texts["right"], False: texts["wrong"], None: None}[lane.is_right]
    cells["answer"] = lane.answer
    for column in FIGURES:
        figure = lane.figure(column)
        cells[column] = round(figure, 6 if column == "cost" else 3) if isinstance(figure, float) else figure
    cells["estimated"] = texts["yes"] if lane.estimated else texts["no"]
    cells["reason"] = texts[f"ended_{lane.reason}"] if lane.reason else None
    return {texts[column]: cell for column, cell in cells.items()}


def as_csv(rows: Sequence[Mapping[str, Cell]]) -> str:
    """The rows as a CSV file, beginning with the mark by which Excel knows UTF-8.

    A model's text that a spreadsheet would take for a formula gets an apostrophe in front.

    >>> as_csv([{"Agent": "ReAct", "Answer": "=1+1", "Cost": None}])
    "\\ufeffAgent,Answer,Cost\\r\\nReAct,'=1+1,\\r\\n"
    """
    file = io.StringIO()
    writer = csv.DictWriter(file, list(dict.fromkeys(name for row in rows for name in row)))
    writer.writeheader()
    writer.writerows({name: _without_formula(cell) for name, cell in row.items()} for row in rows)
    return "\ufeff" + file.getvalue()


def _without_formula(cell: Cell) -> Cell:
    if (
        isinstance(cell, str)
        and re.match(r"\s*[=+@\t\r-]", cell)
        and not re.fullmatch(r"\s*[+-]?[\d.,]+\s*%?\s*", cell)
    ):
        return f"'{cell}"
    return cell


def lane_setup(started: RunStarted, prompts: str) -> dict[str, Scalar]:
    """What the fair-comparison line of a lane says. `prompts` names the prompt variant, or says that it was edited.

    Every lane has a model, a temperature, tools ("" for none), prompts and limits of tokens; limits of steps or
    rounds are there where the paradigm has them. `agent.start(question)` gives the event before the run.
    """
    settings = {name: value for name, value in started.settings.items() if name != "language"}
    return {"model": started.model, "tools": "", "prompts": prompts} | settings


def differences_between(lanes: Sequence[Mapping[str, Scalar]]) -> list[str]:
    """The names of settings in which lanes differ, in order. A lane that has no such setting does not count.

    >>> differences_between([{"model": "a", "tools": "", "max_rounds": 3}, {"model": "a", "tools": "Search"}])
    ['tools']
    """
    names = dict.fromkeys(name for lane in lanes for name in lane)
    return [name for name in names if len({lane[name] for lane in lanes if name in lane}) > 1]
