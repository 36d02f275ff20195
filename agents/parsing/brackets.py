"""Finds where a bracket closes, and takes one pair of quotes off a text."""

import re

PAIRS = {
    "[": "]",
    "【": "】",
    "［": "］",
    "〔": "〕",
    "「": "」",
    "『": "』",
    "《": "》",
    "(": ")",
    "（": "）",
    "{": "}",
    "<": ">",
}
SQUARE = "[【［〔"
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "「": "」", "『": "』", "＂": "＂", "«": "»"}


def find_close(text: str, start: int) -> int | None:
    """Where the bracket at `start` closes, counting brackets of its own kind; None where it does not.

    >>> find_close("Finish[row[0]] and more]", 6)
    13
    """
    opening = text[start]
    closing = PAIRS[opening]
    depth = 0
    for position in range(start, len(text)):
        if text[position] == opening:
            depth += 1
        elif text[position] == closing:
            depth -= 1
            if depth == 0:
                return position
    return None


def strip_quotes(text: str) -> str:
    r"""The text without the one pair of quotes around all of it.

    >>> strip_quotes('"abc def"')
    'abc def'
    >>> strip_quotes('"abc" vs "def"')
    '"abc" vs "def"'
    """
    for mark in ('"""', "'''"):
        if len(text) > 6 and text.startswith(mark) and text.endswith(mark) and mark not in text[3:-3]:
            return text[3:-3].strip()
    closing = _QUOTES.get(text[:1])
    if len(text) < 2 or closing is None or not text.endswith(closing):
        return text
    inside = text[1:-1]
    bare = re.sub(r"\\.", "", inside)
    if text[0] in bare or closing in bare or inside.endswith("\\"):
        return text
    return inside.replace(f"\\{closing}", closing).strip()
