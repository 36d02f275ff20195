"""From the answer of SerpApi to the text of an observation. Pure: nothing here asks a server.

An answer is JSON with some of many parts: boxes with a direct answer (in a dozen shapes), a knowledge graph, and
lists of results. No part is sure to be there, so each is described from whatever fields it has.
"""

import html
import json
import re
from collections.abc import Iterator
from typing import Any

from agents import wording
from agents.errors import ToolError
from agents.events import Language

_DIRECT = ("answer_box", "answer_box_list", "ai_overview", "sports_results", "knowledge_graph")
_LISTS = ("organic_results", "top_stories", "news_results", "shopping_results", "local_results", "related_questions")
_NO_RESULTS = re.compile(r"search_|serpapi_|.*pagination|.*ads$|related_searches|filters|.*images|refine_|error|menu_")
_SPEAKS_FOR_ITSELF = ("title", "name", "question", "answer", "result", "snippet", "description")
_NOT_FOR_READING = re.compile(
    r"(.*_)?(links?|stick|url|id|token|kgmid|images?|thumbnails?|icon|favicon|logo|position|words|forecast)$"
    r"|(type|formatted|about_this_result|people_also_search_for|see_results_about|sitelinks|missing)$"
    r"|(serpapi|displayed|cached|extracted)_"
)
_MANY_RESULTS = 4
_MANY_ITEMS = 8
_MANY_CHARACTERS = 1_500


def read_answer(status: int, body: str, query: str, language: Language) -> str:
    """The results as plain text, or a sentence (in `language`) that there are none.

    `status` is the HTTP status. Raises ToolError with one of the kinds auth, quota, server, bad_request.
    """
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):  # no JSON, or far too deep
        answer = None
    answer = answer if isinstance(answer, dict) else {}
    metadata = answer.get("search_metadata")
    failed = isinstance(metadata, dict) and metadata.get("status") == "Error"
    error = _plain(str(answer.get("error") or ""))
    if status in (401, 403) or re.search(r"\bapi[ _]key\b", error, re.IGNORECASE):
        raise ToolError("auth")
    if status in (402, 429) or "run out of searches" in error:
        raise ToolError("quota")
    if status >= 500 or failed or not answer:
        raise ToolError("server", f"HTTP {status}")
    if status >= 400:
        raise ToolError("bad_request", error[:200] or f"HTTP {status}")
    text = observation_text(answer)
    if not text and error and not re.search(r"\bany results|\bno results", error, re.IGNORECASE):
        raise ToolError("bad_request", error[:200])
    return text or wording.sentence("tool.no_results", language, {"detail": query})


def observation_text(answer: dict[str, Any]) -> str:
    """What an answer of SerpApi says, the direct answers first, then the best results with their links; "" if nothing.

    >>> observation_text({"answer_box": {"answer": 42}})
    '42'
    >>> observation_text({"organic_results": [{"title": "A tower", "snippet": "300 m", "link": "https://example.org"}]})
    'A tower. 300 m (https://example.org)'
    """
    blocks = [_block(item) for key in _DIRECT for item in _items(answer.get(key))]
    rest = [key for key in answer if key not in _DIRECT and key not in _LISTS and not _NO_RESULTS.match(key)]
    wanted = _MANY_RESULTS
    for key in [*_LISTS, *rest]:
        found = [_block(item) for item in _items(answer.get(key))][:wanted]
        blocks += found
        wanted -= len(list(filter(None, found)))
    return "\n".join(filter(None, blocks))


def _items(part: object) -> list[Any]:
    """A part as a list: SerpApi sends one object, a list, or an object that holds the list (`places`, `results`)."""
    match part:
        case list():
            return part
        case {"places": list() as items} | {"results": list() as items}:
            return items
    return [part] if part else []


def _block(item: object) -> str:
    """One result in one paragraph, with its link at the end."""
    text = _described(item)[:_MANY_CHARACTERS]
    link = item.get("link") if isinstance(item, dict) else None
    return f"{text} ({_plain(link)})" if text and isinstance(link, str) else text


def _described(value: object) -> str:
    match value:
        case str():
            return _plain(value)
        case bool() | None:
            return ""
        case int() | float():
            return str(value)
        case list() if value and all(isinstance(row, list) for row in value):
            return "\n".join(" | ".join(map(_described, row)) for row in value[:_MANY_ITEMS])
        case list():
            return "; ".join(filter(None, map(_described, value[:_MANY_ITEMS])))
        case dict():
            return ". ".join(filter(None, _sentences(value)))
    return ""


def _sentences(fields: dict[str, Any]) -> Iterator[str]:
    """The fields of a result: those that speak for themselves first, the others with their names."""
    for name in _SPEAKS_FOR_ITSELF:
        yield _described(fields.get(name)).removesuffix(".")
    kind = fields.get("type")
    if isinstance(kind, str) and not re.search(r"_|^paragraph$|^list$", kind):  # "Company", but not "weather_result"
        yield _plain(kind)
    for name, value in fields.items():
        if name not in _SPEAKS_FOR_ITSELF and not _NOT_FOR_READING.match(name):
            text = _described(value)
            if text and not text.startswith("http"):
                yield f"{name.replace('_', ' ')}: {text}"


def _plain(text: str) -> str:
    """The text without HTML, on one line."""
    return " ".join(re.sub(r"</?[A-Za-z!][^<>]*>", " ", html.unescape(text)).split())
