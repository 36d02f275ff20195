"""A model for tests that replies with what it was given, in order, and fails loudly when called once too often."""

from collections.abc import Generator, Sequence

from agents.errors import CallEnded
from agents.events import ModelRequest, ModelResponse, ReplyDelta, Usage
from agents.stopping import StopSignal

USAGE = Usage(input_tokens=10, output_tokens=5)


def reply(text: str, finish_reason: str = "stop", reasoning: str = "") -> ModelResponse:
    """The response that a ScriptedModel returns for a text."""
    return ModelResponse(text, reasoning, USAGE, seconds=0.5, first_token_seconds=0.25, finish_reason=finish_reason)


class ScriptedModel:
    """Replies with each of `replies` in turn; an error in the list is raised instead. Keeps the requests it got."""

    name = "scripted"

    def __init__(self, *replies: str | ModelResponse | CallEnded) -> None:
        self._replies: Sequence[str | ModelResponse | CallEnded] = replies
        self.requests: list[ModelRequest] = []

    def stream(self, request: ModelRequest, stop: StopSignal) -> Generator[ReplyDelta, None, ModelResponse]:
        assert len(self.requests) < len(self._replies), f"call {len(self.requests) + 1} was not expected: {request}"
        scripted = self._replies[len(self.requests)]
        self.requests.append(request)
        if isinstance(scripted, CallEnded):
            if scripted.partial is not None:
                yield ReplyDelta(scripted.partial.text)
            raise scripted
        response = reply(scripted) if isinstance(scripted, str) else scripted
        yield ReplyDelta(response.text)
        return response

    def assert_finished(self) -> None:
        """Fails where replies are left that nobody asked for."""
        assert len(self.requests) == len(self._replies)
