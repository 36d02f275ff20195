"""A search that needs no key and no network: it looks through the snippets in `sample_snippets.toml`.

It is no search engine: a snippet is found where all parts of one of its keywords stand in the query, in any order.
That is enough for the sample questions of a lesson, and every observation says that it is not a live search.
"""

import re
import tomllib
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from agents import wording
from agents.errors import ToolError
from agents.events import Language
from agents.tools.query_language import language_of

MAX_SNIPPETS = 3


@dataclass(frozen=True)
class Snippet:
    """A short text about one thing, in English and Chinese, and the keywords by which it is found."""

    keywords: tuple[str, ...]
    texts: dict[Language, str]


def sample_search(query: str) -> str:
    """The one to three built-in snippets that suit the query best, in its language, under a line that labels them.

    Raises ToolError("empty").

    >>> print(sample_search("height of the Eiffel Tower"))  # doctest: +ELLIPSIS
    [built-in sample snippets, not a live search]
    The Eiffel Tower in Paris, France, is 330 metres high ...
    """
    if not query.strip():
        raise ToolError("empty")
    language = language_of(query)
    scored = [(_score(query, snippet.keywords), snippet.texts[language]) for snippet in snippets()]
    scored.sort(key=lambda score_and_text: -score_and_text[0])
    # what shares only a common word with the query is left out where another snippet fits far better
    least = max(1, scored[0][0] / 2)
    found = [text for score, text in scored[:MAX_SNIPPETS] if score >= least]
    nothing = wording.sentence("tool.no_sample", language, {"detail": query.strip()})
    return "\n".join([wording.sentence("tool.sample_label", language), *(found or [nothing])])


def facts_search(facts: Mapping[str, str]) -> Callable[[str], str]:
    """A search in facts of one's own: every text whose keyword occurs in the query, one a line.

    >>> search = facts_search({"orsk": "Mount Orsk is 4,312 metres high."})
    >>> search("How high is Mount ORSK?")
    'Mount Orsk is 4,312 metres high.'
    >>> search("Quell").startswith("No results for: Quell.")
    True
    """

    def search(query: str) -> str:
        found = dict.fromkeys(text for keyword, text in facts.items() if keyword.casefold() in query.casefold())
        return "\n".join(found) or wording.sentence("tool.no_results", language_of(query), {"detail": query.strip()})

    return search


@cache
def snippets() -> tuple[Snippet, ...]:
    """The built-in snippets."""
    text = resources.files(__package__).joinpath("sample_snippets.toml").read_text(encoding="utf-8")
    entries = tomllib.loads(text)["snippet"]
    return tuple(Snippet(tuple(entry["keywords"]), {"en": entry["en"], "zh": entry["zh"]}) for entry in entries)


def _score(query: str, keywords: tuple[str, ...]) -> int:
    """How well keywords suit a query: the letters of those that stand in it, a Chinese character counting as three.

    >>> _score("Which is Africa's highest mountain?", ("highest mountain africa", "kilimanjaro"))
    21
    """
    plain = _plain(query)
    words = {_stem(word) for word in re.findall(r"[a-z0-9]+", plain)}
    return sum(_weight(keyword) for keyword in keywords if all(_occurs(part, plain, words) for part in keyword.split()))


def _occurs(part: str, query: str, words: set[str]) -> bool:
    """Whether a keyword's part is in the query: as a word, or, in Chinese, which parts no words, anywhere."""
    return part in query if language_of(part) == "zh" else _stem(_plain(part)) in words


def _weight(keyword: str) -> int:
    return sum(3 if language_of(character) == "zh" else 1 for character in keyword if not character.isspace())


def _plain(text: str) -> str:
    """The text in small letters without accents."""
    return "".join(c for c in unicodedata.normalize("NFKD", text).casefold() if not unicodedata.combining(c))


def _stem(word: str) -> str:
    return word.removesuffix("s") if len(word) > 3 else word
