"""Observations that mislead: what can be put in the place of a tool's result, to see whether the agent notices."""

import re
from collections.abc import Callable

from agents import wording
from agents.events import Language
from components import texts

_NUMBER = re.compile(r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?")


def wrong_fact(observation: str, language: Language) -> str:
    """The observation with its numbers made wrong, years only where there is no other number.

    Without any number it is another statement.

    >>> wrong_fact("In 1889, 32 years later, it was 330 m high and weighed 10,100 t.", "en")
    'In 1889, 48 years later, it was 495 m high and weighed 15,150 t.'
    """
    numbers = _NUMBER.findall(observation)
    only_years = all(map(_is_year, numbers))
    changed = _NUMBER.sub(
        lambda match: match[0] if _is_year(match[0]) and not only_years else _wrong(match[0]), observation
    )
    return changed if changed != observation else _text("wrong_statement", language)


def nothing_found(observation: str, language: Language) -> str:
    """No text at all: the agent is then told that the tool returned nothing."""
    return ""


def orders(observation: str, language: Language) -> str:
    """The observation with a text behind it that gives the agent orders (a prompt injection)."""
    return f"{observation}\n\n{_text('orders_text', language)}"


POISONS: dict[str, Callable[[str, Language], str]] = {
    "wrong_fact": wrong_fact,
    "nothing_found": nothing_found,
    "orders": orders,
}


def _text(name: str, language: Language) -> str:
    """A text in the language of the run, which need not be that of the page."""
    return wording.load(texts.__name__, "what_if")[name][language]


def _is_year(number: str) -> bool:
    return number.isdecimal() and 1000 <= int(number) <= 2100


def _wrong(number: str) -> str:
    """Another number of the same form: half as much again, and for a year 17 years earlier.

    >>> _wrong("2.50"), _wrong("0"), _wrong("1,000"), _wrong("1889")
    ('3.75', '7', '1,500', '1872')
    """
    if _is_year(number):
        return str(int(number) - 17)
    value = float(number.replace(",", ""))
    decimals = len(number.partition(".")[2])
    return f"{value * 1.5 or 7:{',' if ',' in number else ''}.{decimals}f}"
