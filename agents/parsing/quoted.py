"""Reads one quoted string of a list that is written as if it were Python or JSON, although it is neither."""

import re
from dataclasses import dataclass

QUOTES = {'"': '"', "'": "'", "`": "`", "“": "”“", "”": "”“", "‘": "’‘", "’": "’‘", "「": "」", "『": "』", "＂": "＂"}
CLOSING = "]】］)}"
COMMAS = ",，、;；"
SKIP = re.compile(r"(?:\s|#[^\n]*|//[^\n]*)+")
_AFTER_COMMA = re.compile(
    r"(?:[\s,，]|#[^\n]*|//[^\n]*)*+(?:$|[rbuf]{0,2}[\"'`“”‘’「『＂]|[\[【［{(\]】］})]|\.\.\.|…|-?\d|(?:true|false|none|null)\b)",
    re.IGNORECASE,
)
_KEY_AFTER_COMMA = re.compile(r"\s*[\"'“]?[^\W\d]\w*[\"'”]?\s*[:：]")
_EMPTY = re.compile(r"\s*(?:[,，、\]】］})：:]|$)")
_INDEX = re.compile(r"([\"'])\][ \t]+\w[^\n\[]*\1[ \t]*[,\]]")  # 'Show data['k'] now', …
_CODE_POINT = re.compile(r"\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})")
_LINE_BREAK = re.compile(r"[ \t]*\r?\n\s*")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "'": "'", "\\": "\\", "/": "/", "\n": ""}


@dataclass(frozen=True)
class Quoted:
    """A string's text and where it ends; whether it had to be mended, and whether its end was missing."""

    text: str
    end: int
    is_mended: bool = False
    is_truncated: bool = False


def read_quoted(text: str, start: int, closes_round: bool) -> Quoted:
    r"""The string whose opening quote is at `start`. It ends at the first quote after which a list could go on.

    `closes_round` says that the list is a tuple. A raw line break is read as a blank.

    >>> read_quoted("'Find the shop's sales', 'Compare']", 0, closes_round=False)
    Quoted(text="Find the shop's sales", end=23, is_mended=True, is_truncated=False)
    """
    quote = text[start]
    width = 1
    while quote in "\"'" and width < 3 and text.startswith(quote, start + width):
        width += 1
    if width == 2 and _EMPTY.match(text, start + 2):
        return Quoted("", start + 2)
    is_mended = width == 2 or quote not in "\"'"
    position = start + width
    pieces: list[str] = []
    while position < len(text):
        character = text[position]
        end = position + width
        code_point = _CODE_POINT.match(text, position)
        line_break = _LINE_BREAK.match(text, position)
        if code_point:
            pieces.append(chr(int(code_point[1] or code_point[2], 16)))
            position = code_point.end()
        elif character == "\\" and position + 1 < len(text):
            pieces.append(_ESCAPES.get(text[position + 1], text[position : position + 2]))
            position += 2
        elif line_break:
            is_mended = True
            pieces.append(" ")
            position = line_break.end()
        elif character in QUOTES[quote] and text[position:end] == character * width and _ends(text, end, closes_round):
            return Quoted("".join(pieces), end, is_mended)
        else:
            is_mended = is_mended or character == quote
            pieces.append(character)
            position += 1
    return Quoted("".join(pieces), len(text), is_mended, is_truncated=True)


def read_key(text: str, start: int) -> Quoted | None:
    """The key of an object that is at `start`, quoted or not; None where there is none."""
    found = re.compile(
        r"(?P<bare>[^\W\d]\w*|\d+)(?=\s*[:：])|[\"'“‘「](?P<quoted>[^\n:：\"'”’」]*)(?:[\"'”’」]|$)"
    ).match(text, start)
    if found is None:
        return None
    return Quoted(found["bare"] or found["quoted"] or "", found.end(), is_truncated=found.end() == len(text))


def _ends(text: str, position: int, closes_round: bool) -> bool:
    """Whether a list or object could go on here, right after a closing quote."""
    skipped = SKIP.match(text, position)
    after = skipped.end() if skipped else position
    following = text[after : after + 1]
    if following == ")" and not closes_round:  # a remark (the "big" one)
        return False
    if not following or following in CLOSING:
        return _INDEX.match(text, position - 1) is None
    if following in COMMAS:
        return bool(_KEY_AFTER_COMMA.match(text, after + 1) or _AFTER_COMMA.match(text, after + 1))
    return following in QUOTES and after > position and re.compile(r"\w").match(text, after + 1) is not None
