"""A model that replies with what was recorded, call by call, before it hands over to another: the start of a fork."""

from collections import deque
from collections.abc import Generator, Sequence

from agents.base import Model
from agents.events import ModelRequest, ModelResponse, ReplyDelta
from agents.stopping import StopSignal


class RecordedModel:
    """Gives each of `replies` in turn, with the tokens and seconds that it took then; after them `model` replies.

    It serves one run: what was given is gone.
    """

    def __init__(self, replies: Sequence[ModelResponse], model: Model) -> None:
        self.name = model.name
        self._replies = deque(replies)
        self.model = model

    def stream(self, request: ModelRequest, stop: StopSignal) -> Generator[ReplyDelta, None, ModelResponse]:
        """The recorded reply in one piece, whatever the request says; then whatever the other model streams."""
        if not self._replies:
            return (yield from self.model.stream(request, stop))
        response = self._replies.popleft()
        for text, is_reasoning in ((response.reasoning, True), (response.text, False)):
            if text:
                yield ReplyDelta(text, is_reasoning)
        return response
