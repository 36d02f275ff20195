"""Observations that mislead: what can be put in the place of a tool's result, to see whether the agent notices."""

import re
from collections.abc import Callable

from components.texts import say

_NUMBER = re.compile(r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?")


def wrong_fact(observation: str) -> str:
    """The observation with every number made wrong; another statement where there is no number in it.

    >>> wrong_fact("In 1889, 32 years later, it was 330 m high and weighed 10,100 t.")
    'In 1906, 48 years later, it was 495 m high and weighed 15,150 t.'
    """
    changed = _NUMBER.sub(lambda match: _wrong(match[0]), observation)
    return changed if changed != observation else say("what_if.wrong_statement")


def nothing_found(_: str) -> str:
    """No text at all: the agent is then told that the tool returned nothing."""
    return ""


def orders(observation: str) -> str:
    """The observation with a text behind it that gives the agent orders (a prompt injection)."""
    return f"{observation}\n\n{say('what_if.orders_text')}"


POISONS: dict[str, Callable[[str], str]] = {"wrong_fact": wrong_fact, "nothing_found": nothing_found, "orders": orders}


def _wrong(number: str) -> str:
    """Another number of the same form: half as much again, and for a year 17 years later.

    >>> _wrong("2.50"), _wrong("0"), _wrong("1,000")
    ('3.75', '7', '1,500')
    """
    value = float(number.replace(",", ""))
    decimals = len(number.partition(".")[2])
    if "," not in number and not decimals and 1000 <= value <= 2100:
        return str(int(value) + 17)
    return f"{value * 1.5 or 7:{',' if ',' in number else ''}.{decimals}f}"
