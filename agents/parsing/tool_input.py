"""Reads what stands between an action's brackets: the text itself, quoted, named, or as an object.

The input of Finish is an answer, so it is changed as little as possible: `tidy_answer` beside `tidy_input`.
"""

import ast
import json
import re
from collections.abc import Mapping, Sequence

from agents.parsing.brackets import find_close, strip_quotes
from agents.parsing.slip import Slip

TOOL_KEYS = ("tool", "tool_name", "action", "name", "function", "工具", "行动")
INPUT_KEYS = (
    "input",
    "action_input",
    "tool_input",
    "arguments",
    "args",
    "parameters",
    "query",
    "expression",
    "search_query",
    "keywords",
    "keyword",
    "question",
    "answer",
    "final_answer",
    "text",
    "content",
    "q",
    "输入",
    "参数",
    "查询",
    "答案",
)
_NAMED = re.compile(
    r"^(?:input|action[ _]input|tool[ _]input|query|expression|search_query|keywords?|q|输入|参数|查询)"
    r"\s*(?:=(?!=)|[:：])\s*(?=\S)",
    re.IGNORECASE,
)
_NAMED_ANSWER = re.compile(r"^(?:final_)?answer\s*[=:：]\s*(?=\S)", re.IGNORECASE)
_QUOTED = re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'", re.DOTALL)


def read_object(text: str, start: int) -> tuple[Mapping[str, object], int] | None:
    """The JSON or Python object at `start` and where it ends; None where there is none.

    >>> read_object("{'tool': 'Search'} and so on", 0)
    ({'tool': 'Search'}, 18)
    """
    try:
        value, end = json.JSONDecoder(strict=False).raw_decode(text, start)
    except (json.JSONDecodeError, RecursionError):
        hidden = _QUOTED.sub(lambda quoted: "_" * len(quoted[0]), text[start:])
        close = find_close(hidden, 0) if hidden.startswith("{") else None
        if close is None:
            return None
        end = start + close + 1
        try:
            value = ast.literal_eval(text[start:end])
        except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
            return None
    return (value, end) if isinstance(value, dict) else None


def first_value(found: Mapping[str, object], keys: Sequence[str]) -> object:
    """The value of the first of these keys that is there, whatever its case; None where none is."""
    by_key = {str(key).casefold(): value for key, value in found.items()}
    return next((by_key[key] for key in keys if key in by_key), None)


def text_of(value: object) -> str | None:
    """The text that an input value stands for; None where it cannot be told.

    >>> text_of({"query": "abc", "limit": 5})
    'abc'
    >>> text_of('{"expression": 42}')
    '42'
    """
    if isinstance(value, str):
        if value.strip().startswith("{"):
            found = read_object(value.strip(), 0)
            if found is not None and found[1] == len(value.strip()):
                return text_of(found[0])
        return value.strip()
    if isinstance(value, bool | int | float):
        return str(value)
    if isinstance(value, list | tuple) and len(value) == 1:
        return text_of(value[0])
    if isinstance(value, Mapping):
        if len(value) == 1:
            return text_of(next(iter(value.values())))
        texts = [item for item in value.values() if isinstance(item, str)]
        known = first_value(value, INPUT_KEYS)
        return text_of(known) if known is not None else texts[0].strip() if len(texts) == 1 else None
    return None


def tidy_input(text: str) -> tuple[str | None, tuple[Slip, ...]]:
    """A tool's input without what is around it, and how it was mended; None where an object has no plain input.

    >>> tidy_input('{{abc}}')
    ('abc', (Slip(rule='doubled_braces', cut=''),))
    >>> tidy_input('query="abc"')
    ('abc', (Slip(rule='named_input', cut=''), Slip(rule='quotes_removed', cut='')))
    """
    text = text.strip()
    slips: list[Slip] = []
    if text.startswith("{"):
        found = read_object(text, 0)
        if found is not None and found[1] == len(text):
            return text_of(found[0]), (Slip("json_action"),)
        bare = _without_braces(text)
        if bare != text:
            slips.append(Slip("doubled_braces"))
            text = bare
    named = _NAMED.sub("", text)
    if named != text:
        slips.append(Slip("named_input"))
        text = named
    unquoted = strip_quotes(text)
    if unquoted == text and len(text) > 2 and text.startswith("`") and text.endswith("`"):
        unquoted = text.strip("`").strip() if "`" not in text.strip("`") else text
    if unquoted != text:
        slips.append(Slip("quotes_removed"))
    return unquoted.strip(), tuple(slips)


def tidy_answer(text: str) -> tuple[str, tuple[Slip, ...]]:
    """The answer inside Finish, without template braces, its own name, or quotes around all of it.

    >>> tidy_answer('{"answer": "42"}')
    ('42', (Slip(rule='json_action', cut=''),))
    >>> tidy_answer('{"height": 300}')
    ('{"height": 300}', ())
    """
    text = text.strip()
    slips: list[Slip] = []
    if text.startswith("{{") and text.endswith("}}"):
        slips.append(Slip("doubled_braces"))
        text = _without_braces(text)
    found = read_object(text, 0) if text.startswith("{") else None
    if found is not None and found[1] == len(text) and [*found[0]] in (["answer"], ["final_answer"]):
        value = text_of(found[0])
        return (text, ()) if value is None else (value, (Slip("json_action"),))
    named = _NAMED_ANSWER.sub("", text)
    if named != text:
        slips.append(Slip("named_input"))
    unquoted = strip_quotes(named)
    if unquoted != named:
        slips.append(Slip("quotes_removed"))
    return unquoted, tuple(slips)


def _without_braces(text: str) -> str:
    while text.startswith("{") and text.endswith("}") and find_close(text, 0) == len(text) - 1:
        text = text[1:-1].strip()
    return text
