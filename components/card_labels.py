"""A step card's one line: what happened in the step, and what it cost."""

from collections.abc import Sequence
from typing import assert_never

from agents.events import (
    Action,
    Change,
    Feedback,
    FinalAnswer,
    Observation,
    Plan,
    StepResult,
    Thought,
)
from components.look import badge
from components.safe_text import plain, shortened
from components.steps import Step
from components.texts import say

LABEL_LENGTH = 90
LONGEST_NAME = 60


def card_label(step: Step, changes: Sequence[Change] = ()) -> str:
    """The card's one line: what happened in this step, and what it cost. `changes` are a person's in this step.

    It is Markdown in which everything that a model or a tool wrote is escaped.
    """
    parts = [f"**{step.number}**", plain(shortened(_headline(step), LABEL_LENGTH))]
    responses = [call.response for call in step.calls if call.response]
    if responses:
        about = "≈ " if any(response.usage.estimated for response in responses) else ""
        tokens_in = sum(response.usage.input_tokens for response in responses)
        tokens_out = sum(response.usage.output_tokens for response in responses)
        seconds = sum(response.seconds for response in responses)
        cost = say("cards.cost", {"in": f"{about}{tokens_in}", "out": f"{tokens_out}", "s": f"{seconds:.1f}"})
        parts.append(f":gray[{cost}]")
    if step.slips:
        parts.append(badge("slip"))
    parts += [change_badge(change) for change in changes]
    return "  ".join(parts)


def change_badge(change: Change) -> str:
    """What a person changed, and who it was, as a Markdown badge."""
    by = plain(shortened(change.by, LONGEST_NAME)) if change.by else say("what_if.a_person")
    return f":orange-badge[:material/call_split: {say(f'what_if.changed_{change.part}', {'by': by})}]"


def _headline(step: Step) -> str:
    match step.kind:
        case "react":
            return _react_headline(step)
        case "execute":
            result = step.first(StepResult)
            return f"{step.title} → {_last_line(result.text)}" if result and result.text else step.title
        case "plan":
            plan = step.first(Plan)
            return f"{step.title} → {say('cards.plan_steps', {'n': str(len(plan.steps))})}" if plan else step.title
        case "review":
            feedback = step.first(Feedback)
            return f"{step.title} → {verdict_text(feedback)}" if feedback else step.title
        case "answer" | "close" | "draft" | "revise":
            return step.title
        case _:
            assert_never(step.kind)


def _react_headline(step: Step) -> str:
    answer = step.first(FinalAnswer)
    action = step.first(Action)
    observation = step.first(Observation)
    if answer:
        return f"{say('roles.answer')}: {answer.text}"
    if action and observation:
        return f"{action.tool}: {action.input} → {_telling_part(observation.text)}"
    if action:
        return f"{action.tool}: {action.input}"
    if observation:
        return f"{say('cards.not_read')} → {observation.text}"
    thought = step.first(Thought)
    return f"{step.title}: {thought.text}" if thought else step.title


def _telling_part(text: str) -> str:
    """The text without a label in square brackets that stands before it on a line of its own."""
    first, _, rest = text.partition("\n")
    return rest if rest and first.startswith("[") and first.endswith("]") else text


def _last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1] if lines else ""


def verdict_text(feedback: Feedback) -> str:
    """The reviewer's verdict in a word or two."""
    return say("cards.approved" if feedback.approved else "cards.not_approved")
