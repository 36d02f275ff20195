"""Finds the fenced blocks (``` or ~~~) of a reply. Does not ask what is in them."""

import re
from dataclasses import dataclass

_OPENING = re.compile(r"^([ \t]*)(`{3,}|~{3,})[ \t]*([\w+#.-]*)[^\n`]*$", re.MULTILINE)
_ONE_LINE = re.compile(r"^[ \t]*```(?:[A-Za-z][\w+#]*[ \t]+)?([^`\n]+)```[ \t]*$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A fenced block: `text` is what is inside, `start` and `end` are where it stands, fences included."""

    language: str
    text: str
    start: int
    end: int
    closed: bool = True


def fenced_blocks(text: str) -> tuple[Block, ...]:
    r"""All blocks, in order. A block ends at a fence that is as far left as its own; the last may have no end.

    >>> fenced_blocks("Here:\n```python\nx = 1\n```")[0].text
    'x = 1'
    >>> fenced_blocks("```\nx = 1")[0].closed
    False
    """
    blocks: list[Block] = []
    position = 0
    while True:
        opening = _OPENING.search(text, position)
        one_line = _ONE_LINE.search(text, position)
        if one_line and (opening is None or one_line.start() < opening.start()):
            blocks.append(Block("", one_line[1].strip(), one_line.start(), one_line.end()))
            position = one_line.end()
            continue
        if opening is None:
            return tuple(blocks)
        block = _block(text, opening)
        blocks.append(block)
        position = block.end


def _block(text: str, opening: re.Match[str]) -> Block:
    indentation, fence, language = opening.groups()
    closing = re.compile(rf"^{indentation}{re.escape(fence)}{re.escape(fence[0])}*[ \t\r]*$", re.MULTILINE)
    start = min(opening.end() + 1, len(text))
    end = closing.search(text, start)
    if end is not None:
        inside = text[start : max(end.start() - 1, start)]
        return Block(language, _shifted_left(inside, indentation), opening.start(), end.end())
    inside = _shifted_left(text[start:].rstrip(), indentation)
    if inside.endswith(fence):
        return Block(language, inside.removesuffix(fence), opening.start(), len(text))
    return Block(language, inside, opening.start(), len(text), closed=False)


def _shifted_left(text: str, indentation: str) -> str:
    return "\n".join(line.removeprefix(indentation) for line in text.split("\n"))


def unwrap_fence(text: str) -> str:
    r"""The text without the fence that stands around all of it; any other text comes back as it is.

    >>> unwrap_fence("```\nThought: x\nAction: Search[abc]\n```")
    'Thought: x\nAction: Search[abc]'
    """
    stripped = text.strip()
    if not stripped.startswith(("```", "~~~")):
        return text
    block = fenced_blocks(stripped)[:1]
    return block[0].text if block and block[0].start == 0 and block[0].end == len(stripped) else text
