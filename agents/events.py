"""What a run reports: one frozen dataclass per event, and the few values that events carry.

A run is nothing but a sequence of these events. Step cards, the command line, the recording, the
comparison table and the tests all read the same sequence, so whatever is not in here did not happen.
This file holds data only; it decides nothing and calls nothing.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

Language = Literal["en", "zh"]
Scalar = str | int | float | bool | None
StepKind = Literal["answer", "react", "plan", "execute", "close", "draft", "review", "revise"]
Part = Literal["thought", "observation", "plan", "result", "draft", "feedback"]
Caveat = Literal["", "unformatted", "truncated", "at_the_limit", "not_reviewed"]
EndReason = Literal[
    "answered",
    "approved",
    "no_change",
    "alternating",
    "round_limit",
    "step_limit",
    "no_plan",
    "stopped",
    "model_error",
    "token_budget",
]


class Strict:
    """Makes `recording` refuse a field that a dataclass does not have."""

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}


@dataclass(frozen=True)
class Message(Strict):
    """One chat turn, exactly as it is sent to the model."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True)
class Usage(Strict):
    """Tokens of one model call. `cached_tokens` are those of the input that the server had in its cache.

    `estimated` is true where the server reported nothing and the figures were counted from the text.
    """

    input_tokens: int
    output_tokens: int
    cached_tokens: int = 0
    estimated: bool = False


@dataclass(frozen=True)
class ToolCall(Strict):
    """A call that the model made through the server's own tool interface instead of in its text."""

    name: str
    input: str


@dataclass(frozen=True)
class Change(Strict):
    """What a person put in the place of a part of a step of another run, for this run to go on from.

    `step` is the step's number, `by` says who changed it. `seconds` is how far the other run was then.
    """

    step: int
    part: Part
    before: str
    after: str
    by: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class RunStarted(Strict):
    """The run begins. `settings` holds limits and switches, `templates` the prompt template of each role.

    A run with `changes` is a fork: it takes over another run up to the last of them.
    """

    agent: str
    question: str
    model: str
    settings: dict[str, Scalar]
    templates: dict[str, str]
    changes: tuple[Change, ...] = ()

    @property
    def language(self) -> Language:
        """The run's language."""
        return "zh" if self.settings.get("language") == "zh" else "en"


@dataclass(frozen=True)
class StepStarted(Strict):
    """A step begins: one turn of the loop, counted from 1 through the whole run."""

    number: int
    kind: StepKind
    title: str


@dataclass(frozen=True)
class ModelRequest(Strict):
    """The exact text that is about to be sent, and the parameters sent with it.

    `role` names the prompt template that it was made from.
    """

    role: str
    messages: tuple[Message, ...]
    stop: tuple[str, ...] = ()
    temperature: float = 0.0
    max_tokens: int = 1024


@dataclass(frozen=True)
class ReplyDelta(Strict):
    """A piece of the reply as it arrives."""

    text: str
    is_reasoning: bool = False


@dataclass(frozen=True)
class ModelResponse(Strict):
    """The whole reply, with what it cost.

    Times are in seconds since the request was sent; `first_token_seconds` is None where nothing came.
    `finish_reason` is the server's own word ("stop", "length", …), or "interrupted" where the reply ended
    early because of a stop or an error. `adjustments` says in sentences what was changed to get a reply:
    a parameter left out, a retry.
    """

    text: str
    reasoning: str
    usage: Usage
    seconds: float
    first_token_seconds: float | None
    finish_reason: str
    adjustments: tuple[str, ...] = ()
    tool_call: ToolCall | None = None


@dataclass(frozen=True)
class Thought(Strict):
    """What the model says before it acts."""

    text: str


@dataclass(frozen=True)
class Action(Strict):
    """The tool call that the agent is about to make for the model."""

    tool: str
    input: str


@dataclass(frozen=True)
class Observation(Strict):
    """What the model is shown next: a tool's result, or (`is_error`) what was wrong with its reply."""

    text: str
    is_error: bool = False
    seconds: float = 0.0


@dataclass(frozen=True)
class FormatSlip(Strict):
    """What the reply did wrong, how it was read all the same, and which text was thrown away."""

    rule: str
    message: str
    cut: str = ""


@dataclass(frozen=True)
class Plan(Strict):
    """The plan's steps, in order."""

    steps: tuple[str, ...]


@dataclass(frozen=True)
class StepResult(Strict):
    """The result of the plan's step with this number, counted from 1."""

    number: int
    text: str


@dataclass(frozen=True)
class Draft(Strict):
    """A version of the work, counted from 1."""

    version: int
    text: str


@dataclass(frozen=True)
class Feedback(Strict):
    """What the reviewer said about the version with this number."""

    version: int
    text: str
    approved: bool


@dataclass(frozen=True)
class FinalAnswer(Strict):
    """The answer. `caveat` says what a reader should know about it, such as that nobody reviewed it."""

    text: str
    caveat: Caveat = ""


@dataclass(frozen=True)
class RunEnded(Strict):
    """The run is over. `message` tells a person why; `error` and `next_step` are set on a model error."""

    reason: EndReason
    message: str
    error: str = ""
    next_step: str = ""


Event = (
    RunStarted
    | StepStarted
    | ModelRequest
    | ReplyDelta
    | ModelResponse
    | Thought
    | Action
    | Observation
    | FormatSlip
    | Plan
    | StepResult
    | Draft
    | Feedback
    | FinalAnswer
    | RunEnded
)

EVENTS: dict[str, type[Event]] = {event.__name__: event for event in get_args(Event)}


@dataclass(frozen=True)
class Stamped:
    """An event and when it happened, in seconds since the run began."""

    at: float
    event: Event
