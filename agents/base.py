"""What every agent is: a generator of events (`stream`), run to its end by `run`, asking its model through `ask`.

A paradigm is a subclass with one method, `stream`, under the decorator `whole_run`: the method is the paradigm's
loop, and the decorator adds what is the same for all of them, the first event and the ends that no loop foresees.
"""

import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import ClassVar, Protocol, TypeVar

from agents import wording
from agents.errors import CallEnded, ModelError, Stopped
from agents.events import (
    Change,
    EndReason,
    Event,
    FormatSlip,
    Language,
    Message,
    ModelRequest,
    ModelResponse,
    ReplyDelta,
    RunEnded,
    RunStarted,
    Scalar,
)
from agents.parsing.reasoning import says_nothing
from agents.parsing.slip import Slip
from agents.prompts import default_templates, fill
from agents.run import Run
from agents.stopping import StopSignal

Events = Generator[Event, None, None]
Reply = Generator[Event, None, ModelResponse]
AnyAgent = TypeVar("AnyAgent", bound="Agent")


class Model(Protocol):
    """Whatever replies to a request: a server, the demo model, or a script in a test."""

    @property
    def name(self) -> str:
        """The model's name, as a person chose it."""

    def stream(self, request: ModelRequest, stop: StopSignal) -> Generator[ReplyDelta, None, ModelResponse]:
        """Yields the reply piece by piece and returns it whole.

        Raises ModelError where the call fails and Stopped where `stop` is set, both with the partial reply.
        Closing the generator ends the call at once.
        """


@dataclass(frozen=True)
class Settings:
    """What any agent can be set to. The limits hold for one run.

    `max_tokens` bounds the output of one call. `token_budget` bounds input and output of all calls together:
    once it is spent no further call is made. `changes` are those of a fork (`agents.forking`).
    """

    language: Language = "en"
    temperature: float = 0.0
    max_tokens: int = 1024
    token_budget: int = 100_000
    changes: tuple[Change, ...] = ()


class Agent(ABC):
    """One paradigm with its model, its prompt templates (by role) and its settings.

    Templates that are not given are the shipped ones in the language of the settings. An agent does one run at
    a time; where several run at once, each is an agent of its own.
    """

    name: ClassVar[str]

    def __init__(
        self, model: Model, templates: Mapping[str, str] | None = None, settings: Settings | None = None
    ) -> None:
        self.model = model
        self.settings = settings or Settings()
        self.templates = default_templates(self.name, self.settings.language) | dict(templates or {})
        self._stop = StopSignal()

    @abstractmethod
    def stream(self, question: str) -> Events:
        """The run as it happens, from RunStarted to RunEnded."""

    def run(self, question: str, *callbacks: Callable[[Event], object]) -> Run:
        """The finished run; every callback gets every event when it happens."""
        run = Run()
        for event in self.stream(question):
            run.record(event)
            for callback in callbacks:
                callback(event)
        return run

    def stop(self) -> None:
        """Ends the run, from any thread: its stream goes on with the partial reply and RunEnded("stopped").

        Where no run is going on, the next one ends before its first model call.
        """
        self._stop.set()

    def ask(self, role: str, messages: tuple[Message, ...], stop: tuple[str, ...] = ()) -> Reply:
        """The model's reply. The only place where a model is called, so that every call is reported alike.

        `stop` are the texts at which the reply is to end. Raises ModelError and Stopped.
        """
        if self._stop.is_set():
            raise Stopped("stopped before a model call")
        request = ModelRequest(role, messages, stop, self.settings.temperature, self.settings.max_tokens)
        yield request
        try:
            response = yield from self.model.stream(request, self._stop)
        except CallEnded as ended:
            if ended.partial is not None:
                yield ended.partial
            raise
        yield response
        return response

    def ask_for_text(self, role: str, messages: tuple[Message, ...]) -> Reply:
        """The model's reply, asked for once more where it says nothing. Raises ModelError("empty_reply") then."""
        response = yield from self.ask(role, messages)
        if says_nothing(response.text):
            yield self.slip(Slip("empty_reply"))
            response = yield from self.ask(role, messages)
            if says_nothing(response.text):
                raise ModelError("empty_reply")
        return response

    def prompt(self, role: str, values: Mapping[str, str]) -> tuple[Message, ...]:
        """The role's template filled with these values, as the turn that is sent."""
        return (Message("user", fill(self.templates[role], values)),)

    def say(self, key: str, values: Mapping[str, str] | None = None) -> str:
        """A sentence of `wording` in the run's language."""
        return wording.sentence(key, self.settings.language, values)

    def slip(self, slip: Slip) -> FormatSlip:
        """The event for something that had to be mended or cut in a reply."""
        return FormatSlip(slip.rule, self.say(f"slip.{slip.rule}"), slip.cut)

    def ended(self, reason: EndReason, values: Mapping[str, str] | None = None) -> RunEnded:
        """The run's last event, with its reason in words."""
        return RunEnded(reason, self.say(f"end.{reason}", values))

    def limits(self) -> dict[str, Scalar]:
        """The paradigm's own limits and switches, for the record. Paradigms with any override this."""
        return {}

    def start(self, question: str) -> RunStarted:
        """The run's first event."""
        settings: dict[str, Scalar] = {
            "language": self.settings.language,
            "temperature": self.settings.temperature,
            "max_tokens": self.settings.max_tokens,
            "token_budget": self.settings.token_budget,
        }
        return RunStarted(
            self.name,
            question,
            self.model.name,
            settings | self.limits(),
            dict(self.templates),
            self.settings.changes,
        )


def whole_run(loop: Callable[[AnyAgent, str], Events]) -> Callable[[AnyAgent, str], Events]:
    """Makes a paradigm's loop a whole run: RunStarted before it, RunEnded where it cannot come to its own end."""

    @functools.wraps(loop)
    def stream(self: AnyAgent, question: str) -> Events:
        yield self.start(question)
        spent = 0
        try:
            with closing(loop(self, question)) as events:
                for event in events:
                    if isinstance(event, ModelRequest) and spent >= self.settings.token_budget:
                        yield self.ended("token_budget", {"budget": str(self.settings.token_budget)})
                        return
                    if isinstance(event, ModelResponse):
                        spent += event.usage.input_tokens + event.usage.output_tokens
                    yield event
        except Stopped:
            yield self.ended("stopped")
        except ModelError as error:
            message, next_step = wording.describe_error(error, self.settings.language)
            yield RunEnded("model_error", message, error.kind, next_step)
        finally:
            self._stop.clear()

    return stream
