"""Reads a list that is written as lines: numbered, bulleted, "Step 1:", "第一步：", or between tags."""

import re
from dataclasses import dataclass

from agents.parsing.brackets import strip_quotes

_NUMBER = r"(?:\d+|[一二三四五六七八九十]+|one|two|three|four|five|six|seven|eight|nine|ten)"
_NUMBERED = re.compile(
    r"^(?P<indent>\s*)(?:[-+•*]\s+)?(?:#{1,6}\s*)?(?:[*_]{1,3})?(?:"
    rf"(?:step|task)\s*#?{_NUMBER}\b\s*[*_]*\s*(?:[.:：)、,，]|[-–—]+(?=\s)|$)"
    rf"|(?:步骤|步驟|任务|任務)\s*{_NUMBER}\s*[*_]*\s*(?:[.:：)、,，]|[-–—]+|\s|$)"
    rf"|第\s*{_NUMBER}\s*步\s*[*_]*\s*[.:：)、,，]?"
    r"|[(（]\d{1,3}[)）]|\d{1,3}\s*(?:[)、．：]|[:](?=\s)|\.(?!\d))|[①-⑳]|[一二三四五六七八九十]+[、.．]|[a-zA-Z]\)(?=\s)"
    r")[*_]*\s*(?P<step>.*)$",
    re.IGNORECASE,
)
_BULLET = re.compile(r"^(?P<indent>\s*)[-+*•·●◦–—]\s+(?:\[[ xX]?\]\s*)?(?P<step>.*)$")
_TAGGED = re.compile(r"<(step|task|item|li|步骤)\b[^>]*>(.*?)</\1>", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True)
class ListLines:
    """The items of a list in lines, and whether they are numbered."""

    items: tuple[str, ...]
    is_numbered: bool


def read_lines(text: str) -> ListLines:
    r"""The items without their numbers and bold marks. Points indented under an item stay part of it.

    >>> read_lines("Plan:\n  1. **Find A**\n     - in the archive\n  2. Compare\n\nThat is all.").items
    ('Find A - in the archive', 'Compare')
    >>> read_lines("- Find A\n- Compare").items
    ('Find A', 'Compare')
    """
    tagged = [_clean(match[2]) for match in _TAGGED.finditer(text)]
    if tagged:
        return ListLines(tuple(tagged), is_numbered=True)
    lines = [line.rstrip() for line in text.replace("\t", "    ").splitlines()]
    numbered = [_NUMBERED.match(line) for line in lines]
    is_numbered = any(numbered)
    marked = numbered if is_numbered else [_BULLET.match(line) for line in lines]
    indents = [len(match["indent"]) for match in marked if match]
    if not indents:
        return ListLines((), is_numbered=False)
    items: list[list[str]] = []
    goes_on = False
    last = max(index for index, match in enumerate(marked) if match and len(match["indent"]) <= indents[0] + 1)
    for index, (line, match) in enumerate(zip(lines, marked, strict=True)):
        if match and len(match["indent"]) <= indents[0] + 1:
            items.append([match["step"]])
            goes_on = True
        elif not line.strip():
            goes_on = goes_on and bool(items and not "".join(items[-1]).strip("*_ "))
        elif items and (index < last or line[: indents[0] + 2].isspace() or (goes_on and _belongs(line, items[-1]))):
            items[-1].append(line.strip())
        else:
            goes_on = False
    return ListLines(tuple(_clean(" ".join(part for part in parts if part)) for parts in items), is_numbered)


def _belongs(line: str, item: list[str]) -> bool:
    """Whether a line that is not indented still belongs to the item: a point of it, or its text under a bare title."""
    return _BULLET.match(line) is not None or not "".join(item).strip("*_ ")


def _clean(item: str) -> str:
    bare = re.sub(r"\*\*|__(?=\S.*__)|(?<=\S)__", "", item).strip()
    bare = re.sub(r"\s*\n\s*", " ", bare)
    return strip_quotes(bare.removesuffix(",") if bare[:1] in "\"'" else bare).strip()
