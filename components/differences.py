"""What differs between two texts (prompts, drafts, code): lines are matched first, then the words of changed lines."""

import difflib
import html
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Literal

Kind = Literal["same", "removed", "added"]
Difference = tuple[Kind, str]

# A word with the spaces after it, a line end, other white space, or one sign (each Chinese character is one).
_WORD = re.compile(r"[^\W\u3040-\u30ff\u3400-\u9fff]+ *|\n|[^\S\n]+|.")

# Lines that have less than this share of their words in common are shown whole, the old before the new.
_ALIKE = 0.4
# Comparing words takes time that grows with the product of the lengths; longer passages are shown whole too.
_MOST_WORDS = 800

# Backgrounds that let the page's own background through, so that they suit the light and the dark theme.
_STYLES: dict[Kind, str] = {
    "removed": "background:rgba(224,49,49,.22);text-decoration:line-through;border-radius:.2em",
    "added": "background:rgba(47,158,68,.26);text-decoration:underline;text-underline-offset:.2em;border-radius:.2em",
}


def differences(before: str, after: str) -> list[Difference]:
    """How `before` becomes `after`: what is "same" and "added" makes up `after`, "same" and "removed" `before`.

    >>> differences("Answer briefly.", "Answer at length.")
    [('same', 'Answer '), ('removed', 'briefly'), ('added', 'at length'), ('same', '.')]
    >>> differences("请简短回答", "请详细回答")
    [('same', '请'), ('removed', '简短'), ('added', '详细'), ('same', '回答')]
    """
    if before.endswith("\n") != after.endswith("\n"):
        return _joined(_compare(before.splitlines(keepends=True), after.splitlines(keepends=True), _compare_words))
    # With one more line end each: a last line is no other line because something follows it in the other text.
    old, new = f"{before}\n".splitlines(keepends=True), f"{after}\n".splitlines(keepends=True)
    return _without_last_line_end(_joined(_compare(old, new, _compare_words)))


def _without_last_line_end(found: list[Difference]) -> list[Difference]:
    """The differences less the line end that both texts were given."""
    last_same = max((position for position, (kind, _) in enumerate(found) if kind == "same"), default=-1)
    tail = [(kind, text.removesuffix("\n")) for kind, text in found[last_same + 1 :]]
    if last_same >= 0 and len(tail) < 2:  # the texts, or one of them, end with what is the same
        found[last_same] = ("same", found[last_same][1].removesuffix("\n"))
        tail = [(kind, f"\n{text}") for kind, text in tail]
    return [(kind, text) for kind, text in (*found[: last_same + 1], *tail) if text]


def near_changes(found: Sequence[Difference], lines: int = 2) -> list[Difference]:
    """The differences with "⋯" for what is the same further away from a change than so many lines.

    >>> near_changes([("same", "1\\n2\\n3\\n4\\n"), ("added", "x\\n"), ("same", "5\\n")], lines=1)
    [('same', '⋯\\n4\\n'), ('added', 'x\\n'), ('same', '5\\n')]
    """
    return [
        (kind, _shortened(text, lines, position > 0, position < len(found) - 1) if kind == "same" else text)
        for position, (kind, text) in enumerate(found)
    ]


def _shortened(text: str, lines: int, keeps_start: bool, keeps_end: bool) -> str:
    whole = text.splitlines(keepends=True)
    start = whole[:lines] if keeps_start else []
    end = whole[-lines:] if keeps_end else []
    if len(start) + len(end) + 1 >= len(whole):
        return text
    return "".join([*start, "⋯\n" if end else "⋯", *end])


def differences_as_html(found: Sequence[Difference]) -> str:
    """The differences as HTML, each character as written: what is gone struck through, what is new underlined."""
    parts = []
    for kind, text in found:
        shown = html.escape(text if kind == "same" else _with_visible_space(text))
        match kind:
            case "same":
                parts.append(shown)
            case "removed":
                parts.append(f'<del style="{_STYLES[kind]}">{shown}</del>')
            case "added":
                parts.append(f'<ins style="{_STYLES[kind]}">{shown}</ins>')
    return f'<div style="white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.6">{"".join(parts)}</div>'


def _compare_words(before: str, after: str) -> Iterator[Difference]:
    old, new = _WORD.findall(before), _WORD.findall(after)
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    if max(len(old), len(new)) > _MOST_WORDS or matcher.ratio() < _ALIKE:
        yield from (("removed", before), ("added", after))
    else:
        yield from _compare(old, new, lambda removed, added: iter((("removed", removed), ("added", added))))


def _compare(
    before: Sequence[str], after: Sequence[str], replaced: Callable[[str, str], Iterator[Difference]]
) -> Iterator[Difference]:
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    for tag, start, end, new_start, new_end in matcher.get_opcodes():
        old, new = "".join(before[start:end]), "".join(after[new_start:new_end])
        if tag == "replace":
            yield from replaced(old, new)
        elif tag == "equal":
            yield "same", old
        else:
            yield ("removed", old) if old else ("added", new)


def _joined(found: Iterator[Difference]) -> list[Difference]:
    """Neighbours of one kind made one."""
    joined: list[Difference] = []
    for kind, text in found:
        if joined and joined[-1][0] == kind:
            joined[-1] = (kind, joined[-1][1] + text)
        elif text:
            joined.append((kind, text))
    return joined


def _with_visible_space(text: str) -> str:
    """A change of white space alone would not be seen."""
    return text if text.strip() else text.replace("\n", "↵\n").replace("\t", "⇥").replace(" ", "·")
