"""The trajectory in a prompt that offers tools: its turns, and a thought that a person wrote for the next one."""

import re
from dataclasses import dataclass

from agents.models.demo.reading import Asked
from agents.parsing.labels import find_labels

_LONGEST_THOUGHT = 1000  # of more than that only the beginning is read: rules that read text take long over a book
_ACTION = re.compile(r"\s*(\w+)\s*\[(.*)\]", re.DOTALL)


@dataclass(frozen=True)
class Turn:
    """A thought, an action and what was shown after it. Of a reply without an action there is only what was shown."""

    thought: str
    tool: str
    input: str
    seen: str


def turns_in(asked: Asked) -> list[Turn]:
    """The record so far: from the chat turns, else from the labels of the text that follows the question."""
    if asked.later:
        pairs = zip(asked.later, asked.later[1:], strict=False)
        return [_turn(said.content, _unlabelled(seen.content)) for said, seen in pairs if said.role == "assistant"]
    turns: list[Turn] = []
    said_from = 0
    labels = find_labels(asked.record)
    for label, following in zip(labels, (*labels[1:], None), strict=False):
        if label.kind == "observation":
            end = following.start if following else len(asked.record)
            turns.append(_turn(asked.record[said_from : label.start], asked.record[label.end : end].strip()))
            said_from = end
    return turns


def given_thought(asked: Asked) -> str:
    """The thought at the end of the prompt from which an action is to follow, or "" where there is none."""
    text = asked.later[-1].content if asked.later else asked.record
    labels = find_labels(text)
    starts = [label.end for label in labels if label.kind == "thought"]
    # A pattern of the format, or a turn that is over, has an action after its thought.
    if not starts or any(label.start > starts[-1] for label in labels if label.kind in ("action", "observation")):
        return ""
    thought, _, rest = text[starts[-1] :].strip().rpartition("\n\n")
    return (thought.strip() or rest.strip())[:_LONGEST_THOUGHT]


def _unlabelled(seen: str) -> str:
    """An observation without the label in front of it, which an edited template may not have."""
    labels = find_labels(seen)
    return seen[labels[0].end :].strip() if labels and labels[0].kind == "observation" else seen


def _turn(said: str, seen: str) -> Turn:
    """The turn in which this was said and that was shown."""
    labels = [label for label in find_labels(said) if label.kind == "action"]
    action = _ACTION.match(said, labels[0].end) if labels else None
    if action is None:
        return Turn("", "", "", seen)
    return Turn(said[: min(labels[0].start, _LONGEST_THOUGHT)], action[1], action[2], seen)
