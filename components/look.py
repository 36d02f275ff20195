"""How each role looks, everywhere: one label, one icon and one of Streamlit's badge colours. Never colour alone."""

from dataclasses import dataclass
from typing import Literal

from agents.events import StepKind
from components.texts import say

Colour = Literal["violet", "blue", "green", "yellow", "gray", "orange", "primary", "red"]
Role = Literal[
    "thought", "action", "observation", "plan", "step", "draft", "feedback", "answer", "error", "slip", "question"
]


@dataclass(frozen=True)
class Look:
    """A role's icon and colour."""

    icon: str
    colour: Colour


LOOKS: dict[Role, Look] = {
    "question": Look(":material/help:", "gray"),
    "thought": Look(":material/psychology:", "violet"),
    "action": Look(":material/bolt:", "blue"),
    "observation": Look(":material/visibility:", "green"),
    "plan": Look(":material/checklist:", "yellow"),
    "step": Look(":material/play_arrow:", "yellow"),
    "draft": Look(":material/edit_note:", "gray"),
    "feedback": Look(":material/rate_review:", "orange"),
    "answer": Look(":material/flag:", "primary"),
    "error": Look(":material/error:", "red"),
    "slip": Look(":material/healing:", "red"),
}

ROLE_OF_STEP: dict[StepKind, Role] = {
    "answer": "answer",
    "react": "thought",
    "plan": "plan",
    "execute": "step",
    "close": "answer",
    "draft": "draft",
    "review": "feedback",
    "revise": "draft",
}


def badge(role: Role, label: str = "") -> str:
    """The role as a Markdown badge, with its name or another label."""
    look = LOOKS[role]
    return f":{look.colour}-badge[{look.icon} {label or say(f'roles.{role}')}]"
