"""Reads a stream of server-sent events: from its bytes to the JSON pieces of a reply.

The SDK has a reader of its own. This one differs where servers do: it ends soon after the reply although the
connection stays open, bears events without data, and hands over what came before a fault.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping

from agents.errors import ModelError

Fields = Mapping[str, object]

_DONE = "[DONE]"
_USAGE_SECONDS = 2.0  # how long to wait for the usage once the reply itself is complete
_CLOSE_SECONDS = 0.1  # how long to wait for the end of the stream, after which its connection can be used again
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


async def read_pieces(start: bytes, received: AsyncIterator[bytes]) -> AsyncGenerator[Fields, None]:
    """The pieces of the reply in these bytes.

    Raises ModelError("connection") where the stream breaks off before the reply is complete, ValueError where it
    cannot be read.
    """
    clock = asyncio.get_running_loop()
    is_complete = is_over = False
    is_empty = True
    try:
        async with asyncio.timeout(None) as patience:
            async for event in _events(start, received):
                if is_over:
                    continue
                if event.startswith(_DONE):
                    is_over = True
                    patience.reschedule(clock.time() + _CLOSE_SECONDS)
                    continue
                piece = json.loads(event)
                is_empty = False
                if isinstance(piece, dict):
                    yield piece
                    if (first_choice(piece) or {}).get("finish_reason"):
                        is_complete = True
                        patience.reschedule(clock.time() + _USAGE_SECONDS)
    except TimeoutError:
        if not patience.expired():
            raise
    if not (is_over or is_complete or is_empty):
        raise ModelError("connection", "The stream broke off before the reply was complete.")


def first_choice(piece: Fields) -> Fields | None:
    """The part of a piece that the model wrote: there is one where a single reply was asked for."""
    choices = piece.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    return first if isinstance(first, dict) else None


async def _events(start: bytes, received: AsyncIterator[bytes]) -> AsyncGenerator[str, None]:
    splitter = EventSplitter()
    for event in splitter.feed(start):
        yield event
    async for part in received:
        for event in splitter.feed(part):
            yield event
    for event in splitter.end():
        yield event


class EventSplitter:
    """Takes bytes as they arrive and returns the data of every finished event. Comments and other fields are dropped.

    A line that is no UTF-8 raises UnicodeDecodeError when its turn comes.

    >>> splitter = EventSplitter()
    >>> list(splitter.feed(b': hello\\r\\ndata: {"a":\\ndata: 1}\\n\\ndata: [DO'))
    ['{"a":\\n1}']
    >>> list(splitter.feed(b"NE]")), list(splitter.end())
    ([], ['[DONE]'])
    """

    def __init__(self) -> None:
        self._rest = b""
        self._data: list[str] = []

    def feed(self, received: bytes) -> Iterator[str]:
        """The events that these bytes finish."""
        text = self._rest + received
        held = b"\r" if text.endswith(b"\r") else b""  # half of a line end, perhaps
        *lines, rest = text.removesuffix(held).replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        self._rest = rest + held
        for line in lines:
            yield from self._line(line)

    def end(self) -> Iterator[str]:
        """The last event, where the server did not finish it with an empty line."""
        rest, self._rest = self._rest.rstrip(b"\r"), b""
        yield from self._line(rest)
        yield from self._line(b"")

    def _line(self, line: bytes) -> Iterator[str]:
        if line:
            field, _, value = line.removeprefix(_BYTE_ORDER_MARK).decode().partition(":")
            if field == "data":
                self._data.append(value.removeprefix(" "))
            return
        event, self._data = "\n".join(self._data).strip(), []
        if event:
            yield event
