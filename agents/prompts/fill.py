"""Filling a prompt template, and checking it before it is used.

A template is text with `{name}` placeholders. They are replaced in one pass and everything else stays as typed, so a
prompt may hold JSON, code or a lone brace. `{{…}}` stands for single braces. Nothing is ever evaluated.
"""

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

_BRACES = re.compile(r"\{\{|\}\}|\{(\w+)\}")
_LOOKS_LIKE_A_PLACEHOLDER = re.compile(r"[{｛]\s*([^{}｛｝\s][^{}｛｝\n]{0,60})[}｝]")


@dataclass(frozen=True)
class Piece:
    """A stretch of a template: plain text, or (with a `name`) a placeholder as it is written there."""

    text: str
    name: str = ""


@dataclass(frozen=True)
class TemplateWarning:
    """The model will not see the value of `placeholder`. `written` is what was probably meant for it, or ""."""

    placeholder: str
    written: str = ""


def fill(template: str, values: Mapping[str, str]) -> str:
    """The template with every known placeholder replaced; line ends become plain newlines.

    >>> fill('Reply like {"answer": {"n": 1}}. {question}', {"question": "use {tools}", "tools": "T"})
    'Reply like {"answer": {"n": 1}}. use {tools}'
    >>> fill("{{question}} {unknown} {question.__class__}", {"question": "Q"})
    '{question} {unknown} {question.__class__}'
    """
    return "".join(values.get(piece.name, piece.text) for piece in pieces(template))


def pieces(template: str) -> Iterator[Piece]:
    """The template cut at its placeholders, with doubled braces already made single.

    >>> list(pieces("Answer {question}"))
    [Piece(text='Answer ', name=''), Piece(text='{question}', name='question')]
    """
    template = plain_newlines(template)
    doubled = 0  # "{{" seen and not yet closed: a "}}" that closes none of them is two braces of nested JSON
    position = 0
    for match in _BRACES.finditer(template):
        if match.start() > position:
            yield Piece(template[position : match.start()])
        position = match.end()
        if match[0] == "{{":
            doubled += 1
            yield Piece("{")
        elif match[0] == "}}":
            yield Piece("}" if doubled else "}}")
            doubled = max(0, doubled - 1)
        else:
            yield Piece(match[0], match[1])
    if position < len(template):
        yield Piece(template[position:])


def plain_newlines(text: str) -> str:
    """The text as it is stored and compared: browsers and uploaded files bring CRLF.

    >>> plain_newlines("a\\r\\nb")
    'a\\nb'
    """
    return text.replace("\r\n", "\n").replace("\r", "\n")


def placeholders_in(template: str) -> set[str]:
    """The names of all placeholders in the template, known or not.

    >>> sorted(placeholders_in("{question} {{not_this}} {tools}"))
    ['question', 'tools']
    """
    return {piece.name for piece in pieces(template) if piece.name}


def check_template(template: str, required: Sequence[str], optional: Sequence[str] = ()) -> list[TemplateWarning]:
    """What the model will not see: required placeholders that are missing, and any that are misspelt.

    >>> check_template("Task: {Question}", ["question"])
    [TemplateWarning(placeholder='question', written='{Question}')]
    >>> check_template("Answer well.", ["question"], ["tools"])
    [TemplateWarning(placeholder='question', written='')]
    """
    used = placeholders_in(template)
    known = {*required, *optional}
    found = _LOOKS_LIKE_A_PLACEHOLDER.finditer(template)
    candidates = {match[1]: match[0] for match in found if match[0][0] == "｛" or match[1] not in known}
    warnings = []
    for name in [*required, *optional]:
        if name in used:
            continue
        written = next((candidates[text] for text in candidates if _means(text, name)), "")
        if written or name in required:
            warnings.append(TemplateWarning(name, written))
    return warnings


def _means(written: str, name: str) -> bool:
    word = re.split(r"[.\[!:]", written.strip().lower().replace(" ", "_").replace("-", "_"))[0].strip("_")
    return bool(difflib.get_close_matches(word, [name], cutoff=0.8))
