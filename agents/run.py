"""A run: its events with the time of each, and the totals computed from them."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from agents.events import (
    Action,
    Caveat,
    EndReason,
    Event,
    FinalAnswer,
    FormatSlip,
    ModelResponse,
    Observation,
    RunEnded,
    RunStarted,
    Stamped,
    StepStarted,
)

AnyEvent = TypeVar("AnyEvent", bound=Event)


@dataclass(frozen=True)
class Totals:
    """What a run cost so far. Times are in seconds; the parts of `seconds` are those in the model and in tools.

    `estimated` is true where the tokens of at least one call were counted from its text.
    `first_token_seconds` is that of the first call that said anything.
    """

    steps: int
    model_calls: int
    tool_calls: int
    format_slips: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    estimated: bool
    seconds: float
    model_seconds: float
    tool_seconds: float
    first_token_seconds: float | None


@dataclass
class Run:
    """The events of one run, in order. `record` adds one and stamps it; two runs are equal if their events are."""

    events: list[Stamped] = field(default_factory=list)
    _began: float = field(default_factory=time.monotonic, compare=False, repr=False)

    def record(self, event: Event) -> Stamped:
        """Adds an event that happened now; returns it with its time.

        The clock of a fork goes on from where the other run was when it was changed.
        """
        stamped = Stamped(round(self.clock, 4), event)
        self.events.append(stamped)
        if isinstance(event, RunStarted) and event.changes:
            self._began -= event.changes[-1].seconds
        return stamped

    @property
    def clock(self) -> float:
        """Seconds since the run began, whether or not it is over."""
        return time.monotonic() - self._began

    def of(self, kind: type[AnyEvent]) -> Iterator[AnyEvent]:
        """The events of one kind, in order."""
        return (stamped.event for stamped in self.events if isinstance(stamped.event, kind))

    @property
    def started(self) -> RunStarted | None:
        """How the run began; None before it has."""
        return next(self.of(RunStarted), None)

    @property
    def answer(self) -> str | None:
        """The final answer; None where the run has none."""
        return next((event.text for event in self.of(FinalAnswer)), None)

    @property
    def caveat(self) -> Caveat:
        """What a reader should know about the answer; "" where there is nothing."""
        return next((event.caveat for event in self.of(FinalAnswer)), "")

    @property
    def ended(self) -> RunEnded | None:
        """How the run ended; None while it goes on."""
        return next(self.of(RunEnded), None)

    @property
    def reason(self) -> EndReason | None:
        """Why the run ended; None while it goes on."""
        return self.ended.reason if self.ended else None

    @property
    def totals(self) -> Totals:
        """What the run cost so far."""
        responses = list(self.of(ModelResponse))
        usages = [response.usage for response in responses]
        first_tokens = (response.first_token_seconds for response in responses)
        return Totals(
            steps=len(list(self.of(StepStarted))),
            model_calls=len(responses),
            tool_calls=len(list(self.of(Action))),
            format_slips=len(list(self.of(FormatSlip))),
            input_tokens=sum(usage.input_tokens for usage in usages),
            output_tokens=sum(usage.output_tokens for usage in usages),
            cached_tokens=sum(usage.cached_tokens for usage in usages),
            estimated=any(usage.estimated for usage in usages),
            seconds=self.events[-1].at if self.events else 0.0,
            model_seconds=sum(response.seconds for response in responses),
            tool_seconds=sum(observation.seconds for observation in self.of(Observation)),
            first_token_seconds=next((seconds for seconds in first_tokens if seconds is not None), None),
        )
