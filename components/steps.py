"""The steps of a run, put together from its events: what one step card shows. No Streamlit here."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from agents.events import (
    Action,
    Change,
    Draft,
    Event,
    Feedback,
    FinalAnswer,
    FormatSlip,
    ModelRequest,
    ModelResponse,
    Observation,
    Plan,
    ReplyDelta,
    RunEnded,
    RunStarted,
    StepKind,
    StepResult,
    StepStarted,
    Thought,
)

AnyEvent = TypeVar("AnyEvent", bound=Event)


@dataclass
class Call:
    """One model call of a step: what was sent, and what has come back so far."""

    request: ModelRequest
    text: str = ""
    reasoning: str = ""
    response: ModelResponse | None = None


@dataclass
class Step:
    """One step, as far as it has come. `outcomes` are what was read from the replies and what came of it, in order."""

    number: int
    kind: StepKind
    title: str
    calls: list[Call] = field(default_factory=list)
    outcomes: list[Event] = field(default_factory=list)

    def first(self, kind: type[AnyEvent]) -> AnyEvent | None:
        """The first outcome of this kind; None where there is none."""
        return next((outcome for outcome in self.outcomes if isinstance(outcome, kind)), None)

    @property
    def slips(self) -> list[FormatSlip]:
        """What had to be mended or cut in the step's replies."""
        return [outcome for outcome in self.outcomes if isinstance(outcome, FormatSlip)]

    @property
    def rules(self) -> list[str]:
        """The rules that the step's replies broke."""
        return [slip.rule for slip in self.slips]


@dataclass
class Steps:
    """A run's steps, and how it began and ended. `take` adds events as they come; the last step is the live one."""

    steps: list[Step] = field(default_factory=list)
    started: RunStarted | None = None
    ended: RunEnded | None = None

    def take(self, event: Event) -> None:
        """Adds what this event tells to the step that is going on."""
        match event:
            case StepStarted():
                self.steps.append(Step(event.number, event.kind, event.title))
            case ModelRequest():
                self.steps[-1].calls.append(Call(event))
            case ReplyDelta(is_reasoning=True):
                self.steps[-1].calls[-1].reasoning += event.text
            case ReplyDelta():
                self.steps[-1].calls[-1].text += event.text
            case ModelResponse():
                call = self.steps[-1].calls[-1]
                call.response, call.text, call.reasoning = event, event.text, event.reasoning
            case (
                Thought()
                | Action()
                | Observation()
                | FormatSlip()
                | Plan()
                | StepResult()
                | Draft()
                | Feedback()
                | FinalAnswer()
            ):
                self.steps[-1].outcomes.append(event)
            case RunStarted():
                self.started = event
            case RunEnded():
                self.ended = event

    def changes_of(self, step: Step) -> list[Change]:
        """What a person changed in this step, if the run is a fork."""
        return [change for change in self.started.changes if change.step == step.number] if self.started else []

    def times_before(self, position: int, action: Action) -> int:
        """How often the very same call was made before the step at this position."""
        return [outcome for step in self.steps[:position] for outcome in step.outcomes].count(action)

    def drafts_before(self, position: int) -> list[str]:
        """The versions of the work that were written before the step at this position, in order."""
        outcomes = (outcome for step in self.steps[:position] for outcome in step.outcomes)
        return [outcome.text for outcome in outcomes if isinstance(outcome, Draft)]


def steps_of(events: Iterable[Event]) -> list[Step]:
    """The steps of a run that is over, or of what there is of it."""
    steps = Steps()
    for event in events:
        steps.take(event)
    return steps.steps
