"""What a run costs in money: a price table that people may edit, with the date of its prices.

Prices are US dollars per million tokens. `prices.toml` says where the shipped ones come from. A cost is never
invented: it is None for a model without a row, for the demo model, and for a run whose calls reported nothing.
"""

import math
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import date
from fnmatch import fnmatchcase
from importlib import resources

from agents import wording
from agents.events import Language
from agents.models.demo import DEMO_NAME
from agents.prompts import fill
from agents.run import Totals

MILLION = 1_000_000


@dataclass(frozen=True)
class Price:
    """A row of the table. `model` is a name, in which "*" stands for any characters, in capitals or not.

    `cached_input` is None where cached tokens are charged like any other input.
    """

    model: str
    input: float
    cached_input: float | None
    output: float


@dataclass
class PriceTableError(Exception):
    """A row that is no price. `reason` is an entry of `texts/prices.toml`, `values` what to fill it with."""

    reason: str
    values: Mapping[str, str] = field(default_factory=dict)

    def describe(self, language: Language) -> str:
        """What is wrong in which row, in a sentence."""
        entries = wording.load("components.texts", "prices")
        column = self.values.get("column", "")
        named = {"column": entries[column][language].lower()} if column else {}
        return fill(entries[self.reason][language], {**self.values, **named})

    def __str__(self) -> str:
        return self.describe("en")


@dataclass(frozen=True)
class PriceTable:
    """The prices of models, as of a date."""

    as_of: date
    rows: tuple[Price, ...]

    def cost(self, totals: Totals, model: str) -> float | None:
        """What the tokens cost in US dollars; None where nobody can say.

        Tokens that were estimated make an estimated cost. Where a call failed, what it cost is not known and missing.

        >>> table = PriceTable(date(2026, 5, 7), (Price("small", 1.0, 0.5, 4.0),))
        >>> totals = Totals(1, 1, 0, 0, 2000, 500, 1000, False, 1.0, 1.0, 0.0, None)
        >>> table.cost(totals, "small"), table.cost(totals, "unknown")
        (0.0035, None)
        """
        price = self.price_of(model)
        if price is None or totals.model_calls == 0:
            return None
        cached = min(totals.cached_tokens, totals.input_tokens)  # servers count them as part of the input
        cached_price = price.input if price.cached_input is None else price.cached_input
        fresh = totals.input_tokens - cached
        return (fresh * price.input + cached * cached_price + totals.output_tokens * price.output) / MILLION

    def price_of(self, model: str) -> Price | None:
        """The row of the model: the one with the most characters besides "*", and of those the first.

        A name without "*" is the model's whole name: what gpt-4.1-mini costs, the row of gpt-4.1 does not know.

        >>> table = PriceTable(date(2026, 5, 7), (Price("qwen*", 2, None, 2), Price("qwen*mini", 1, None, 1)))
        >>> [price and price.model for price in map(table.price_of, ("Qwen-max", "qwen-mini", "my-qwen", "demo"))]
        ['qwen*', 'qwen*mini', None, None]
        """
        if model == DEMO_NAME:
            return None
        matching = [row for row in self.rows if _matches(model, row.model)]
        return max(matching, key=lambda row: len(row.model.replace("*", "")), default=None)

    def as_rows(self) -> list[dict[str, str | float | None]]:
        """The rows for an editor; `price_table` reads them back."""
        return [asdict(row) for row in self.rows]


def shipped_prices() -> PriceTable:
    """The prices that come with the app."""
    text = resources.files("components").joinpath("prices.toml").read_text(encoding="utf-8")
    content = tomllib.loads(text)
    return price_table(content["price"], content["as_of"])


def price_table(rows: Iterable[Mapping[str, object]], as_of: date) -> PriceTable:
    """The table of rows that a person edited, empty ones left out. Raises PriceTableError, which names the row.

    A cell is empty where it is None, NaN (pandas) or blank.

    >>> price_table([{"model": "a", "input": "0.5", "output": 2}, {"model": None}], date(2026, 5, 7)).rows
    (Price(model='a', input=0.5, cached_input=None, output=2.0),)
    """
    prices: list[Price] = []
    for number, row in enumerate(rows, 1):
        cells = {name: value for name, value in row.items() if not _is_empty(value)}
        if not cells:
            continue
        model = str(cells.get("model", "")).strip()
        if not model:
            raise PriceTableError("no_model", {"row": str(number)})
        if model.lower() in {price.model.lower() for price in prices}:
            raise PriceTableError("repeated_model", {"row": str(number), "model": model})
        for column in ("input", "output"):
            if column not in cells:
                raise PriceTableError("no_price", {"row": str(number), "model": model, "column": column})
        cached_input = _price(cells["cached_input"], number) if "cached_input" in cells else None
        prices.append(Price(model, _price(cells["input"], number), cached_input, _price(cells["output"], number)))
    return PriceTable(as_of, tuple(prices))


def _matches(model: str, pattern: str) -> bool:
    literal = pattern.lower().replace("[", "[[]").replace("?", "[?]")  # fnmatch knows more signs than "*"
    return fnmatchcase(model.lower(), literal)


def _is_empty(value: object) -> bool:
    is_nan = isinstance(value, float) and math.isnan(value)
    return value is None or is_nan or (isinstance(value, str) and not value.strip())


def _price(value: object, row: int) -> float:
    try:
        price = float(str(value).strip().removeprefix("$"))
    except ValueError:
        price = math.nan
    if isinstance(value, bool) or not 0 <= price < math.inf:
        raise PriceTableError("not_a_price", {"row": str(row), "found": str(value)})
    return price
