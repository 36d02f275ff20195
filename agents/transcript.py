"""A run as text for a terminal: each event becomes the text that it adds, so that a run reads as it happens."""

from typing import assert_never

from agents import wording
from agents.events import (
    Action,
    Draft,
    Event,
    Feedback,
    FinalAnswer,
    FormatSlip,
    Language,
    ModelRequest,
    ModelResponse,
    Observation,
    Plan,
    ReplyDelta,
    RunEnded,
    RunStarted,
    StepResult,
    StepStarted,
    Thought,
    Usage,
)
from agents.models.demo import DEMO_NAME
from agents.run import Totals

WIDTH = 78


class Transcript:
    """Turns events into text, one after the other. It remembers only whether the model is reasoning or replying."""

    def __init__(self, language: Language = "en") -> None:
        self.language: Language = language
        self._is_reasoning = False

    def text_of(self, event: Event) -> str:
        """The text that this event adds. Replies come piece by piece, so what is read from them is not repeated."""
        match event:
            case RunStarted():
                model = self._say("scripted") if event.model == DEMO_NAME else event.model
                header = self._say("header", agent=event.agent, model=model)
                return f"{header}\n{self._say('question', text=event.question)}\n"
            case StepStarted():
                return f"\n{f'── {event.number} · {event.title} '.ljust(WIDTH, '─')}\n"
            case ReplyDelta():
                switched, self._is_reasoning = event.is_reasoning != self._is_reasoning, event.is_reasoning
                if not switched:
                    return event.text
                return self._say("reasoning") + event.text if event.is_reasoning else "\n\n" + event.text
            case ModelResponse():
                self._is_reasoning = False
                notes = "".join(f"\n  {self._note(adjustment)}" for adjustment in event.adjustments)
                return f"\n  {self._cost(event.usage, event.seconds)}{notes}\n"
            case Observation():
                return f"{self._say('observation', text=event.text)}\n"
            case FormatSlip():
                cut = f"\n  {self._say('cut', text=_shortened(event.cut))}" if event.cut else ""
                return f"{self._say('slip', text=event.message)}{cut}\n"
            case Plan():
                steps = "".join(f"  {number}. {step}\n" for number, step in enumerate(event.steps, start=1))
                return f"{self._say('plan')}\n{steps}"
            case FinalAnswer():
                caveat = f"\n({self._say(event.caveat)})" if event.caveat else ""
                return f"\n{'═' * WIDTH}\n{self._say('answer', text=event.text)}{caveat}\n"
            case RunEnded():
                return f"\n{event.message}{' ' + event.next_step if event.next_step else ''}\n"
            case ModelRequest() | Thought() | Action() | StepResult() | Draft() | Feedback():
                return ""  # already on the screen as part of the reply
            case _:
                assert_never(event)

    def totals(self, totals: Totals) -> str:
        """The closing line: what the run cost."""
        about = "≈" if totals.estimated else ""
        first = totals.first_token_seconds
        return self._say(
            "totals",
            steps=str(totals.steps),
            calls=str(totals.model_calls),
            input=f"{about}{totals.input_tokens}",
            output=f"{about}{totals.output_tokens}",
            seconds=f"{totals.seconds:.1f}",
            first="–" if first is None else f"{first:.2f}",
        )

    def _cost(self, usage: Usage, seconds: float) -> str:
        about = "≈" if usage.estimated else ""
        return self._say(
            "call",
            input=f"{about}{usage.input_tokens}",
            output=f"{about}{usage.output_tokens}",
            seconds=f"{seconds:.1f}",
        )

    def _note(self, adjustment: str) -> str:
        return wording.translated(adjustment, "adjustment", self.language)

    def _say(self, name: str, **values: str) -> str:
        return wording.sentence(f"transcript.{name}", self.language, values)


def _shortened(text: str, most: int = 200) -> str:
    """One line of at most so many characters.

    >>> _shortened("Observation: a\\nObservation: b", most=20)
    'Observation: a Obser…'
    """
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[:most]}…"
