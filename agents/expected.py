r"""Marks an answer right or wrong against what was expected: a number, a text or a pattern.

Before anything is compared, full-width characters become half-width and thousands separators go (1,234 · 1 234 ·
1'234). Of a very long answer only the last 20,000 characters are read, where its conclusion stands.

- **A number** ("11340", "0.75", "75%", "290元", "56 km"): right if any number in the answer equals it, also one that
  the answer merely mentions. Units are not compared. A number with decimals is met by one that rounds to it (0.75 by
  0.7512, not by 0.8); a whole number has to be met exactly (3 by 3.0, not by 2.7). 75% and 0.75 are the same.
  Chinese numerals (五十六, 三倍), English words (fifty-six) and scales (2.7 million, 270万) count; 一 and "one" alone
  do not.
- **A pattern**: a regular expression between slashes (/colou?r/) or recognised by its signs (a backslash, "|", ".*",
  ".+", "(?", "[a-z]", "^" at its start). Right if found anywhere, in capitals or not. `\b` also stands between a
  Chinese character and a digit. Patterns with repeats are looked for in a process of their own, which is ended
  after two seconds: `re` cannot be interrupted, and would keep all other threads waiting.
- **A text** is anything else: right if it is found in the answer as whole words, in capitals or not, whatever the
  white space. Chinese text is found anywhere.
"""

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from agents import wording
from agents.events import Language
from agents.numerals import LETTER, Number, fold, number_at_start, numbers_in

LONGEST_ANSWER = 20_000  # characters that are read of an answer
LONGEST_EXPECTED = 1_000
PATTERN_SECONDS = 2.0

# Calculators say 11339.999999999998.
_FLOAT_NOISE = Decimal("0.000001")
_CURRENCY = re.compile(r"[$€£¥₹]\s?")
# One lower-case word or up to two Chinese characters. "3M", "5G" and "7 Up" are texts.
_UNIT = re.compile(r"\s?(?:[a-zµ°/]{1,15}(?:\^[23])?|[\u3400-\u9fff]{1,2})?")
_SIGNS_OF_A_PATTERN = re.compile(r"\\|\||\.[*+]|\(\?|\[\w-\w|^\^")
_ESCAPE_OR_CLASS = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
_REPEAT = re.compile(r"(?<!\()[*+?]|\{\d*,?\d*\}")
_SEARCH = """
import json, re, sys
pattern, text = json.load(sys.stdin)
print(any(re.search(pattern, text, flags) for flags in (re.IGNORECASE, re.IGNORECASE | re.ASCII)))
"""


@dataclass
class ExpectedError(ValueError):
    """An expected answer that cannot be used. `reason` is an entry of `expected.toml`, `values` fill it."""

    reason: str
    values: Mapping[str, str] = field(default_factory=dict)

    def describe(self, language: Language) -> str:
        """What is wrong, in a sentence."""
        return wording.sentence(f"expected.{self.reason}", language, self.values)

    def __str__(self) -> str:
        return self.describe("en")


def is_right(answer: str | None, expected: str) -> bool:
    r"""Whether the answer is what was expected, by the rules above. No answer is wrong.

    Raises ExpectedError, a ValueError, where `check_expected` does, and for a pattern that takes too long.

    >>> is_right("They cost 11,340 crowns.", "11340"), is_right("It is 113400.", "11340")
    (True, False)
    >>> is_right("人口是诺湾市的三倍。", "3"), is_right("It is 75 %.", "0.75"), is_right("About 0.8.", "0.75")
    (True, True, False)
    >>> is_right("It is Dr INES  Karadag.", "Ines Karadag"), is_right("Parisian", "Paris")
    (True, False)
    >>> is_right("最新的是Aster 9", r"Aster\s*9"), is_right("一共56块", r"\b56\b")
    (True, True)
    >>> is_right(None, "11340")
    False
    """
    check_expected(expected)
    if answer is None:
        return False
    text = fold(answer[-LONGEST_ANSWER:])
    number = expected_number(expected)
    if number is not None:
        return any(_equals(found, number) for found in numbers_in(text))
    pattern = pattern_of(expected)
    return _has_text(text, expected) if pattern is None else _has_pattern(text, pattern)


def check_expected(expected: str) -> None:
    r"""Raises ExpectedError, with a sentence for a person, where nothing can be compared with this.

    >>> check_expected("Aster\\s*9")
    >>> check_expected(" ")
    Traceback (most recent call last):
    ...
    agents.expected.ExpectedError: The expected answer is empty. Write a text, a number or a pattern.
    """
    if not expected.strip():
        raise ExpectedError("empty")
    if len(expected) > LONGEST_EXPECTED:
        raise ExpectedError("too_long", {"found": f"{len(expected):,}", "most": f"{LONGEST_EXPECTED:,}"})
    pattern = None if expected_number(expected) else pattern_of(expected)
    if pattern is not None:
        try:
            re.compile(_half_width(pattern))
        except (re.error, OverflowError, RecursionError) as error:
            raise ExpectedError("not_a_pattern", {"pattern": pattern, "problem": str(error)}) from error


def expected_number(expected: str) -> Number | None:
    """The number that is expected, its unit left aside; None where a text or a pattern is expected.

    >>> [str(number and number.value) for number in map(expected_number, ("1,234 km", "五十六", "Aster 9", "5G"))]
    ['1234', '56', 'None', 'None']
    """
    found = number_at_start(_CURRENCY.sub("", fold(expected).strip().rstrip(".。"), count=1))
    if found is None:
        return None
    number, unit = found
    begins_with_a_digit = re.match(r"[^\w]*\d", fold(expected)) is not None  # 三星 is a company, not three stars
    return number if not unit or (begins_with_a_digit and _UNIT.fullmatch(unit)) else None


def pattern_of(expected: str) -> str | None:
    r"""The regular expression that is expected; None where it is a text.

    >>> pattern_of("/colou?r/"), pattern_of(r"56|五十六"), pattern_of("Who? (C++)")
    ('colou?r', '56|五十六', None)
    """
    expected = expected.strip()
    if len(expected) > 2 and expected.startswith("/") and expected.endswith("/"):
        return expected[1:-1]
    return expected if _SIGNS_OF_A_PATTERN.search(expected) else None


def _equals(found: Number, expected: Number) -> bool:
    tolerance = expected.scale * Decimal(5).scaleb(-expected.decimals - 1) if expected.decimals else _FLOAT_NOISE
    readings = [found.value]
    if found.is_percent and not expected.is_percent:
        readings.append(found.value / 100)
    if expected.is_percent and not found.is_percent:
        readings.append(found.value * 100)
    return any(abs(reading - expected.value) <= tolerance for reading in readings)


def _has_text(text: str, expected: str) -> bool:
    words = fold(expected).casefold().split()
    # Between words there has to be white space, but not beside a Chinese character or a digit: "Aster9", "16GB".
    pattern = r"\s*".join(re.escape(word) for word in words)
    pattern = re.sub(rf"(?<={LETTER})(?<!\d)\\s\*(?={LETTER})(?!\d)", r"\\s+", pattern)
    pattern = (rf"(?<!{LETTER})" if re.match(LETTER, words[0]) else "") + pattern
    pattern += rf"(?!{LETTER})" if re.match(LETTER, words[-1][-1]) else ""
    return re.search(pattern, text.casefold()) is not None


def _has_pattern(text: str, pattern: str) -> bool:
    folded = _half_width(pattern)
    if not _REPEAT.search(_ESCAPE_OR_CLASS.sub("x", folded)):
        return any(re.search(folded, text, flags) for flags in (re.IGNORECASE, re.IGNORECASE | re.ASCII))
    command = [sys.executable, "-I", "-S", "-c", _SEARCH]
    try:
        searched = subprocess.run(
            command,
            input=json.dumps([folded, text]),
            capture_output=True,
            text=True,
            timeout=PATTERN_SECONDS,
            check=True,
        )
    except subprocess.SubprocessError as error:  # time is up, or the search ran out of memory
        raise ExpectedError("too_slow", {"pattern": pattern}) from error
    return searched.stdout.strip() == "True"


def _half_width(pattern: str) -> str:
    """The pattern for a text that has lost its full-width characters: its own become plain half-width ones."""
    folded = ((character, fold(character)) for character in pattern)
    return "".join(character if character == plain else re.escape(plain) for character, plain in folded)
