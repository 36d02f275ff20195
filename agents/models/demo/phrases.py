"""The demo model's sentences: `phrases.toml`, filled."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from agents.events import Language
from agents.prompts import fill


@cache
def content(file: str) -> dict[str, Any]:
    """What one of the TOML files beside this module holds."""
    return tomllib.loads(resources.files(__package__).joinpath(file).read_text(encoding="utf-8"))


def say(name: str, language: Language, values: Mapping[str, str] | None = None) -> str:
    """The sentence with this name.

    >>> say("answer_line", "en", {"text": "42"})
    'Answer: 42'
    """
    return fill(content("phrases.toml")[name][language], values or {})


def joined(sentences: list[str], language: Language) -> str:
    """The sentences as running text, each beginning with a capital letter; Chinese has no blanks between them.

    >>> joined(["one.", "", "two."], "en"), joined(["一。", "二。"], "zh")
    ('One. Two.', '一。二。')
    """
    return (" " if language == "en" else "").join(text[:1].upper() + text[1:] for text in sentences if text)


def listed(texts: list[str], language: Language) -> str:
    """The texts as one sentence.

    >>> listed(["18 * 24 = 432", "432 - 356 = 76"], "en")
    '18 * 24 = 432; 432 - 356 = 76.'
    """
    return "; ".join(texts) + "." if language == "en" else "；".join(texts) + "。"
