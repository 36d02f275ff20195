"""The price table: what is charged, what stays blank, and which edits are refused."""

import math
from dataclasses import replace
from datetime import date

import pytest

from agents import wording
from agents.run import Totals
from components.prices import Price, PriceTable, PriceTableError, price_table, shipped_prices
from components.texts import LANGUAGES

DAY = date(2026, 5, 7)
TABLE = PriceTable(
    DAY,
    (
        Price("big", 2.0, 0.5, 8.0),
        Price("uncached", 3.0, None, 6.0),
        Price("*.gguf", 0.0, 0.0, 0.0),
        Price("open/*", 1.0, None, 1.0),
        Price("open/big*", 2.0, None, 2.0),
    ),
)
TOTALS = Totals(
    steps=2,
    model_calls=2,
    tool_calls=1,
    format_slips=0,
    input_tokens=10_000,
    output_tokens=1_000,
    cached_tokens=4_000,
    estimated=False,
    seconds=3.0,
    model_seconds=2.5,
    tool_seconds=0.5,
    first_token_seconds=0.3,
)


@pytest.mark.parametrize(
    ("model", "cost"),
    [
        ("big", (6_000 * 2.0 + 4_000 * 0.5 + 1_000 * 8.0) / 1_000_000),
        ("BIG", 0.022),
        ("uncached", (10_000 * 3.0 + 1_000 * 6.0) / 1_000_000),
        ("qwen2.5-1.5b-q4_k_m.gguf", 0.0),
        ("open/small", 0.011),
        ("open/big-2", 0.022),
        ("bigger", None),
        ("demo", None),
        ("", None),
    ],
)
def test_charges_what_the_table_says_and_nothing_else(model: str, cost: float | None) -> None:
    assert TABLE.cost(TOTALS, model) == cost


def test_the_demo_model_costs_nothing_even_where_a_row_fits_all() -> None:
    assert PriceTable(DAY, (Price("*", 1.0, None, 1.0),)).cost(TOTALS, "demo") is None


def test_a_run_whose_calls_reported_nothing_has_no_cost() -> None:
    assert TABLE.cost(replace(TOTALS, model_calls=0, input_tokens=0, output_tokens=0, cached_tokens=0), "big") is None


def test_more_cached_tokens_than_input_are_not_charged_twice() -> None:
    assert TABLE.cost(replace(TOTALS, input_tokens=1_000, output_tokens=0), "big") == 0.0005


@pytest.mark.parametrize("model", ["m[1]", "m?"])
def test_only_the_star_is_special_in_a_name(model: str) -> None:
    table = PriceTable(DAY, (Price(model, 1.0, None, 1.0),))
    assert (table.price_of(model), table.price_of("m1")) == (table.rows[0], None)


def test_the_shipped_table_has_a_date_and_whole_rows() -> None:
    shipped = shipped_prices()
    assert shipped.as_of == DAY
    assert shipped.price_of("gpt-4.1-mini") == Price("gpt-4.1-mini", 0.40, 0.10, 1.60)
    assert shipped.price_of("gpt-4.1-mini-2025-04-14") is None
    assert shipped.price_of("deepseek-chat") is None


def test_an_edited_table_is_read_back() -> None:
    assert price_table(TABLE.as_rows(), DAY) == TABLE


def test_empty_rows_and_cells_of_an_editor_are_no_fault() -> None:
    rows: list[dict[str, object]] = [
        {"model": " new ", "input": " $0.5", "cached_input": math.nan, "output": 1},
        {"model": None, "input": None, "cached_input": None, "output": None},
        {"model": "", "input": math.nan, "cached_input": "", "output": math.nan},
    ]
    assert price_table(rows, DAY).rows == (Price("new", 0.5, None, 1.0),)


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ({"input": 1, "output": 1}, "Row 2: the model's name is missing."),
        ({"model": "A", "input": 1, "output": 1}, "Row 2: the model 'A' has a row already."),
        (
            {"model": "b", "input": 1, "output": None},
            "Row 2: the price of output is missing for 'b'. Write 0 where it is free.",
        ),
        (
            {"model": "b", "input": "cheap", "output": 1},
            "Row 2: 'cheap' is no price. Write a number of US dollars per million tokens, 0 or more, such as 0.15.",
        ),
    ],
)
def test_a_bad_row_is_told_in_a_sentence(row: dict[str, object], sentence: str) -> None:
    with pytest.raises(PriceTableError) as caught:
        price_table([{"model": "a", "input": 1, "output": 1}, row], DAY)
    assert str(caught.value) == sentence


@pytest.mark.parametrize("price", ["-1", -0.5, math.inf, "1e400", "nan", True, "0,15"])
def test_what_is_no_price_is_refused(price: object) -> None:
    with pytest.raises(PriceTableError, match="is no price"):
        price_table([{"model": "a", "input": 1, "cached_input": price, "output": 1}], DAY)


def test_a_missing_price_is_named_in_chinese() -> None:
    with pytest.raises(PriceTableError) as caught:
        price_table([{"model": "b", "input": 1}], DAY)
    assert caught.value.describe("zh") == "第 1 行：“b”缺少输出价格。免费请填 0。"


@pytest.mark.parametrize("entry", wording.load("components.texts", "prices"))
def test_every_text_is_there_in_both_languages(entry: str) -> None:
    assert set(wording.load("components.texts", "prices")[entry]) == set(LANGUAGES)
