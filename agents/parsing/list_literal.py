"""Reads a list that a model wrote as if it were Python or JSON, although it is neither.

A tolerant scanner in place of a parser: a quote ends a string only where a list could go on after it, so that
apostrophes, doubled and curly quotes, Chinese commas, raw line breaks and comments do no harm. It reads literals
only; nothing is ever evaluated.
"""

import re
from dataclasses import dataclass
from typing import TypeAlias

from agents.parsing.quoted import CLOSING, COMMAS, QUOTES, SKIP, read_key, read_quoted

Item: TypeAlias = "str | int | float | bool | Dots | list[Item] | dict[str, Item] | None"


@dataclass(frozen=True)
class Dots:
    """The "..." that stands for more items."""


class NotALiteral(Exception):
    """What stands there is code or prose, no list of values."""


@dataclass
class Scan:
    """A value read from a text: where it ends, whether it was cut off (with the rest), whether it had to be mended."""

    text: str
    position: int
    value: Item = None
    cut: str = ""
    is_truncated: bool = False
    is_mended: bool = False
    is_tuple: bool = False


_OPENING = "[【［("
_WORD = re.compile(r"(?:true|false|none|null)\b|-?\d+(?:\.\d+)?(?![\w.])|\.\.\.|……?", re.IGNORECASE)
_PREFIX = re.compile(r"[rbuf]{1,2}(?=[\"'])", re.IGNORECASE)


def scan_value(text: str, start: int) -> Scan:
    r"""The list, tuple or object at `start`. Raises NotALiteral where code or prose stands there.

    >>> scan_value("['Find the shop's sales'，“Compare”]", 0).value
    ["Find the shop's sales", 'Compare']
    >>> scan = scan_value('["Find A", "Com', 0)
    >>> scan.value, scan.is_truncated, scan.cut
    (['Find A'], True, 'Com')
    """
    scan = Scan(text, start, is_tuple=text.startswith("(", start))
    scan.value = _value(scan, 0)
    return scan


def _value(scan: Scan, depth: int) -> Item:
    if depth > 20:
        raise NotALiteral
    character = scan.text[scan.position : scan.position + 1]
    if character == "{":
        return _object(scan, depth)
    if character in _OPENING:
        return _items(scan, depth)
    prefix = _PREFIX.match(scan.text, scan.position)
    if prefix:
        scan.position = prefix.end()
        return _string(scan)
    if character in QUOTES:
        return _string(scan)
    word = _WORD.match(scan.text, scan.position)
    if word is None:
        raise NotALiteral
    scan.position = word.end()
    known: dict[str, Item] = {"true": True, "false": False, "none": None, "null": None}
    if word[0][0] in ".…":
        return Dots()
    return known[word[0].lower()] if word[0].lower() in known else float(word[0]) if "." in word[0] else int(word[0])


def _items(scan: Scan, depth: int) -> list[Item]:
    items: list[Item] = []
    scan.position += 1
    while not _at_end(scan):
        if _closes(scan):
            return items
        before = scan.position
        item = _value(scan, depth + 1)
        if not scan.is_truncated or (item and not isinstance(item, str)):
            items.append(item)
        elif scan.cut == "":
            scan.cut = scan.text[before:].strip("\"'“`").rstrip("`").rstrip()
        _skip_comma(scan)
    return items


def _object(scan: Scan, depth: int) -> dict[str, Item]:
    found: dict[str, Item] = {}
    scan.position += 1
    while not _at_end(scan):
        if _closes(scan):
            return found
        key = read_key(scan.text, scan.position)
        if key is None:
            raise NotALiteral
        scan.position = key.end
        colon = re.compile(r"\s*[:：]\s*").match(scan.text, scan.position)
        if _at_end(scan):
            return found
        if colon is None:
            raise NotALiteral
        scan.position = colon.end()
        if _at_end(scan):
            return found
        value = _value(scan, depth + 1)
        if not (scan.is_truncated and isinstance(value, str)):
            found[key.text] = value
        _skip_comma(scan)
    return found


def _at_end(scan: Scan) -> bool:
    """Skips blanks and comments; true (and the value is truncated) where nothing follows, or only a closing fence."""
    skipped = SKIP.match(scan.text, scan.position)
    if skipped:
        scan.position = skipped.end()
    if scan.position >= len(scan.text):
        scan.is_truncated = True
    return scan.is_truncated


def _closes(scan: Scan) -> bool:
    if scan.text[scan.position] in CLOSING:
        scan.position += 1
        return True
    return False


def _skip_comma(scan: Scan) -> None:
    """One comma. A Chinese one, several of them or none before a quote are mended."""
    count = 0
    while not _at_end(scan) and scan.text[scan.position] in COMMAS:
        scan.is_mended = scan.is_mended or count > 0 or scan.text[scan.position] != ","
        scan.position += 1
        count += 1
    if count > 0 or scan.is_truncated or scan.text[scan.position] in CLOSING:
        return
    if scan.text[scan.position] not in QUOTES:
        raise NotALiteral
    scan.is_mended = True


def _string(scan: Scan) -> str:
    quoted = read_quoted(scan.text, scan.position, scan.is_tuple)
    scan.position = quoted.end
    scan.is_mended = scan.is_mended or quoted.is_mended
    scan.is_truncated = scan.is_truncated or quoted.is_truncated
    return quoted.text
