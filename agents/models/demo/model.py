"""The demo model itself: streams a scripted reply at the pace of a language model."""

import math
import re
import time
from collections.abc import Generator

from agents.errors import ModelError, Stopped
from agents.events import ModelRequest, ModelResponse, ReplyDelta
from agents.models.demo.replies import reply_to
from agents.models.estimate import estimate_tokens, estimate_usage
from agents.stopping import StopSignal

DEMO_NAME = "demo"

# Longer prompts are refused as a server does it: rules that read text take long over a book.
MAX_CHARACTERS = 100_000

# About what a tokenizer makes of a text: short pieces of words with the blank before them, one or two characters of
# Chinese, up to three digits, single marks.
_PIECE = re.compile(r"[ ]?[A-Za-z]{1,7}|[ ]?\d{1,3}|[\u4e00-\u9fff]{1,2}|\s+|.", re.DOTALL)


class DemoModel:
    """Replies by script. A speed of 0 or infinity means no waiting between the pieces of a reply."""

    name = DEMO_NAME

    def __init__(self, tokens_per_second: float = 40.0, first_token_seconds: float = 0.4) -> None:
        self.tokens_per_second = tokens_per_second
        self.first_token_seconds = first_token_seconds

    def stream(self, request: ModelRequest, stop: StopSignal) -> Generator[ReplyDelta, None, ModelResponse]:
        """Yields the reply piece by piece and returns it whole.

        Raises Stopped where `stop` is set, and ModelError("context_length") over 100,000 characters.
        """
        if sum(len(message.content) for message in request.messages) > MAX_CHARACTERS:
            raise ModelError("context_length")
        began = time.monotonic()
        first_at: float | None = None
        sent = ""
        finish_reason = "stop"
        is_fast = self.tokens_per_second == 0 or math.isinf(self.tokens_per_second)
        pause = 0.0 if is_fast else 1 / self.tokens_per_second

        def response(reason: str) -> ModelResponse:
            usage = estimate_usage(request.messages, sent)
            return ModelResponse(sent, "", usage, time.monotonic() - began, first_at, reason)

        for piece in _PIECE.findall(_until_stop(reply_to(request.messages), request.stop)):
            if stop.wait(self.first_token_seconds if first_at is None else pause):
                raise Stopped("stopped while the demo model was replying", response("interrupted") if sent else None)
            if estimate_tokens(sent + piece) > request.max_tokens:
                finish_reason = "length"
                break
            if first_at is None:
                first_at = time.monotonic() - began
            sent += piece
            yield ReplyDelta(piece)
        return response(finish_reason)


def _until_stop(reply: str, stops: tuple[str, ...]) -> str:
    """The reply up to the first of the stop strings.

    >>> _until_stop("Action: Search[a]\\nObservation: b", ("\\nObservation",))
    'Action: Search[a]'
    """
    ends = [position for stop in stops if stop and (position := reply.find(stop)) >= 0]
    return reply[: min(ends, default=len(reply))]
