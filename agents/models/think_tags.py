"""Keeps apart what a reasoning model thinks and what it says, where both come in one text with `<think>` tags."""

import re
from dataclasses import dataclass

_OPEN = ("<think>", "<thinking>")
_CLOSE = ("</think>", "</thinking>")
_TAG = re.compile("|".join(_OPEN + _CLOSE), re.IGNORECASE)


@dataclass(frozen=True)
class Span:
    """A stretch of text. `ends_reasoning`: a closing tag without an opening one; all text before it was reasoning."""

    text: str
    is_reasoning: bool = False
    ends_reasoning: bool = False


class ThinkTagSplitter:
    """Takes a text in pieces and returns it without its tags, also where a tag is split over pieces.

    What could be the beginning of a tag is held back until it is clear what it is.

    >>> splitter = ThinkTagSplitter()
    >>> spans = [span for piece in ["<thi", "nk>why</th", "ink> so"] for span in splitter.feed(piece)]
    >>> [(span.text, span.is_reasoning) for span in spans]
    [('why', True), ('so', False)]
    """

    def __init__(self) -> None:
        self._held = ""
        self._inside = False
        self._was_inside = False
        self._skip_space = True  # at the very beginning and right after a closing tag

    def feed(self, piece: str) -> list[Span]:
        """What has become certain with this piece."""
        held = self._held + piece
        spans: list[Span] = []
        while match := _TAG.search(held):
            spans += self._span(held[: match.start()])
            if match.group().lower() in _OPEN:
                self._inside = self._was_inside = True
            else:
                if not self._was_inside:
                    spans.append(Span("", ends_reasoning=True))
                self._inside, self._was_inside = False, True
                self._skip_space = True
            held = held[match.end() :]
        certain = len(held) - _length_of_tag_start(held)
        self._held = held[certain:]
        return spans + self._span(held[:certain])

    def end(self) -> list[Span]:
        """What was held back, once nothing more comes."""
        held, self._held = self._held, ""
        return self._span(held)

    def _span(self, text: str) -> list[Span]:
        if self._skip_space and not self._inside:
            text = text.lstrip()
            self._skip_space = not text
        return [Span(text, self._inside)] if text else []


def _length_of_tag_start(text: str) -> int:
    """How many characters at the end of the text could be the beginning of a tag."""
    start = text.rfind("<")
    end = text[start:].lower()
    return len(end) if start >= 0 and any(tag.startswith(end) for tag in _OPEN + _CLOSE) else 0
