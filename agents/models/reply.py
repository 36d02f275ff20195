"""Reads the pieces of a streamed reply and puts them together.

Nothing is taken for granted about a piece but that it is JSON: servers leave out fields, send null for them, put
usage into every piece or none, and mix reasoning into the text.
"""

import json
import time
from collections.abc import Iterator
from dataclasses import replace

from agents.errors import ModelError
from agents.events import ModelRequest, ModelResponse, ReplyDelta, ToolCall, Usage
from agents.models.estimate import estimate_usage
from agents.models.refusals import Refused, read_refusal
from agents.models.sse import Fields, first_choice
from agents.models.stop_text import StopCutter
from agents.models.think_tags import Span, ThinkTagSplitter
from agents.models.usage import read_usage

_REASONING_FIELDS = ("reasoning_content", "reasoning", "thinking", "reasoning_text")
# Other words that servers use for OpenAI's.
_FINISH_REASONS = {
    "max_tokens": "length",
    "max_output_tokens": "length",
    "model_length": "length",
    "sensitive": "content_filter",
    "safety": "content_filter",
}
_FAULTS = frozenset({"error", "network_error", "insufficient_system_resource"})


class Reply:
    """A reply as it arrives: `read` every piece, then `end` it; `response` is all of it so far.

    It is cut at the request's stop strings, whether or not the server does that too.
    """

    def __init__(self, request: ModelRequest) -> None:
        self._request = request
        self._started = time.monotonic()
        self._first_token_seconds: float | None = None
        self._text = ""
        self._reasoning = ""
        self._tool_name = ""
        self._tool_arguments = ""
        self._usage: Usage | None = None
        self._pieces = 0
        self._tags = ThinkTagSplitter()
        self._cutter = StopCutter(request.stop)
        self.finish_reason = ""
        self.has_choices = False

    @property
    def is_cut(self) -> bool:
        """Whether a stop string has come, so that nothing more is wanted."""
        return self._cutter.is_cut

    @property
    def has_begun(self) -> bool:
        """Whether anything has come that the model wrote."""
        return self._first_token_seconds is not None

    def read(self, piece: Fields) -> Iterator[ReplyDelta]:
        """What this piece adds. Raises Refused where it is an error."""
        choice = first_choice(piece)
        if piece.get("error") or _is_bare_error(piece):
            raise Refused(read_refusal(_status(piece), dict(piece)))
        self._usage = read_usage(piece) or self._usage
        if choice is None:
            return
        self.has_choices = True
        delta = _fields(choice.get("delta")) or _fields(choice.get("message"))
        text, reasoning = _contents(delta)
        if text or reasoning or delta.get("tool_calls") or delta.get("function_call"):
            self._pieces += 1
            self._first_token_seconds = self._first_token_seconds or time.monotonic() - self._started
        if reasoning:
            self._reasoning += reasoning
            yield ReplyDelta(reasoning, is_reasoning=True)
        yield from self._add(self._tags.feed(text))
        self._read_tool_call(delta)
        self.finish_reason = _finish_reason(choice) or self.finish_reason

    def end(self) -> Iterator[ReplyDelta]:
        """What was held back until now. Raises ModelError where the server ended the reply for a bad reason."""
        yield from self._add(self._tags.end())
        rest = self._cutter.end()
        if rest:
            self._text += rest
            yield ReplyDelta(rest)
        if self.finish_reason == "content_filter":
            raise ModelError("content_filter")
        if self.finish_reason in _FAULTS:
            raise ModelError("server", "The server ended the reply with an error.")

    def response(self, finish_reason: str, adjustments: tuple[str, ...]) -> ModelResponse:
        """The reply so far. Its usage is estimated where the server has not reported any."""
        return ModelResponse(
            text=self._text,
            reasoning=self._reasoning,
            usage=self._usage or self._estimated_usage(),
            seconds=time.monotonic() - self._started,
            first_token_seconds=self._first_token_seconds,
            finish_reason=finish_reason,
            adjustments=adjustments,
            tool_call=ToolCall(self._tool_name, _only_argument(self._tool_arguments)) if self._tool_name else None,
        )

    def _estimated_usage(self) -> Usage:
        usage = estimate_usage(self._request.messages, self._reasoning + self._text + self._tool_arguments)
        # Most servers send every token as a piece of its own; those that send more at once send fewer pieces.
        return replace(usage, output_tokens=max(usage.output_tokens, self._pieces))

    def _add(self, spans: list[Span]) -> Iterator[ReplyDelta]:
        for span in spans:
            if span.ends_reasoning:  # only now it is known that what was shown as text is none
                self._reasoning += (self._text + self._cutter.end()).strip()
                self._text = ""
            elif span.is_reasoning:
                self._reasoning += span.text
                yield ReplyDelta(span.text, is_reasoning=True)
            elif text := self._cutter.feed(span.text):
                self._text += text
                yield ReplyDelta(text)

    def _read_tool_call(self, delta: Fields) -> None:
        """Takes the first call only: an agent does one thing a turn."""
        calls = delta.get("tool_calls")
        if not isinstance(calls, list):
            calls = [{"function": delta.get("function_call")}]
        for position, call in enumerate(map(_fields, calls)):
            function = _fields(call.get("function"))
            if call.get("index", position) == 0:
                self._tool_name += _text(function.get("name")) if not self._tool_name else ""
                arguments = function.get("arguments")
                self._tool_arguments += json.dumps(arguments) if isinstance(arguments, dict) else _text(arguments)


def _finish_reason(choice: Fields) -> str:
    word = _text(choice.get("finish_reason"))
    return _FINISH_REASONS.get(word.lower(), word)


def _contents(delta: Fields) -> tuple[str, str]:
    """Text and reasoning of a piece. Content may also be a list of typed parts."""
    reasoning = next((text for name in _REASONING_FIELDS if (text := _text(delta.get(name)))), "")
    content = delta.get("content")
    if isinstance(content, list):
        parts = [_fields(part) for part in content]
        reasoning += "".join(_part(part.get("thinking")) for part in parts)
        return "".join(_text(part.get("text")) for part in parts), reasoning
    return _text(content) or _text(delta.get("refusal")), reasoning


def _part(thinking: object) -> str:
    if isinstance(thinking, list):
        return "".join(_text(_fields(part).get("text")) for part in thinking)
    return _text(thinking)


def _only_argument(arguments: str) -> str:
    """A tool here takes one text: the single argument if it is a text, else the arguments as they came."""
    try:
        values = json.loads(arguments)
    except ValueError:  # cut off, or no JSON at all
        return arguments
    if isinstance(values, dict) and len(values) == 1:
        values = next(iter(values.values()))
    return values if isinstance(values, str) else arguments


def _is_bare_error(piece: Fields) -> bool:
    """Whether the piece is an error without a field of that name around it."""
    return "choices" not in piece and any(isinstance(piece.get(name), str) for name in ("message", "msg", "detail"))


def _status(piece: Fields) -> int:
    """The code in an error, where it is an HTTP status; 500 otherwise, since it is the server's own report."""
    error = _fields(piece.get("error")) or piece
    code = str(error.get("code") or error.get("status") or "")
    return int(code) if code.isdecimal() and 400 <= int(code) <= 599 else 500


def _fields(value: object) -> Fields:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
