"""Observations that mislead: wrong numbers, nothing, or orders, in both languages."""

import pytest
import streamlit as st

from agents.events import Language
from components.poison import POISONS, nothing_found, orders, wrong_fact
from tests.app_under_test import text

LANGUAGES: tuple[Language, ...] = ("en", "zh")
FOUND = {
    "en": "The Burj Khalifa in Dubai is 828 metres high. It opened in 2010.",
    "zh": "位于迪拜的哈利法塔高828米，2010年启用。",
}


@pytest.fixture
def speaks(monkeypatch: pytest.MonkeyPatch, lang: Language) -> Language:
    """The language of the session."""
    monkeypatch.setattr(st, "session_state", {"language": lang})
    return lang


@pytest.mark.parametrize(
    ("found", "wrong"),
    [
        ("330 m", "495 m"),
        ("2.50 euros", "3.75 euros"),
        ("1,000,000 people", "1,500,000 people"),
        ("1,234.5 km", "1,851.8 km"),
        ("It opened in 1889.", "It opened in 1872."),
        ("828米", "1242米"),
        ("开业于1889年。", "开业于1872年。"),
        ("0", "7"),
        ("0.00", "7.00"),
        ("1", "2"),
        ("-40 degrees", "-60 degrees"),
        ("3/4", "4/6"),
        ("8.3 minutes", "12.5 minutes"),
        ("100%", "150%"),
        ("3.", "4."),
        ("1000", "983"),
        ("2100", "2083"),
        ("2101", "3152"),
        ("999", "1498"),
        ("12-18", "18-27"),
    ],
)
def test_every_number_becomes_another_one_of_the_same_form(found: str, wrong: str) -> None:
    assert wrong_fact(found, "en") == wrong


@pytest.mark.parametrize(
    ("found", "wrong"),
    [
        ("It opened in 1889, and is 330 m high.", "It opened in 1889, and is 495 m high."),
        ("between 3, 5 and 9", "between 4, 8 and 14"),
        ("1,2,3", "2,3,4"),
    ],
)
def test_a_comma_behind_a_number_is_not_part_of_it(found: str, wrong: str) -> None:
    assert wrong_fact(found, "en") == wrong


@pytest.mark.parametrize("number", [*range(0, 30), 99, 999, 1000, 1999, 2100, 10_000])
def test_no_number_stays_what_it_is(number: int) -> None:
    assert wrong_fact(f"{number}", "en") != f"{number}"


@pytest.mark.parametrize("number", ["0.1", "0.01", "0.0", "0.001", "1.0", "9.99", "1,000", "0.5", "٣", "３３０"])
def test_no_written_number_stays_what_it_is(number: str) -> None:
    assert wrong_fact(number, "en") != number


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_words_around_the_numbers_stay(lang: Language) -> None:
    wrong = wrong_fact(FOUND[lang], lang)
    assert wrong == FOUND[lang].replace("828", "1242")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("found", ["", "The sky is blue.", "天是蓝的。"])
def test_where_there_is_no_number_another_statement_stands(speaks: Language, found: str) -> None:
    assert wrong_fact(found, speaks) == text("what_if.wrong_statement", speaks)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_nothing_is_found(speaks: Language) -> None:
    assert nothing_found(FOUND[speaks], speaks) == ""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_orders_stand_behind_what_was_found(speaks: Language) -> None:
    assert orders(FOUND[speaks], speaks) == f"{FOUND[speaks]}\n\n{text('what_if.orders_text', speaks)}"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_orders_are_an_action_that_the_agent_could_take(speaks: Language) -> None:
    assert "Finish[" in orders("", speaks)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("poison", POISONS)
def test_every_poison_changes_what_was_found_and_has_a_name(speaks: Language, poison: str) -> None:
    assert POISONS[poison](FOUND[speaks], speaks) != FOUND[speaks]
    assert text(f"what_if.{poison}", speaks)
