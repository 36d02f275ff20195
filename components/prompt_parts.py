"""What a prompt was filled with: its text split into instructions, question, tools, trajectory and so on. Pure."""

import re
from collections.abc import Mapping

from agents.events import ModelRequest
from agents.models.estimate import estimate_tokens
from agents.prompts import ROLES, pieces

INSTRUCTIONS = "instructions"
TRAJECTORY = "trajectory"
KNOWN = {
    name for roles in ROLES.values() for role in roles.values() for name in (*role.required, *role.optional)
}  # any other {word} of a template is text like the rest


def prompt_parts(request: ModelRequest, templates: Mapping[str, str]) -> dict[str, int]:
    """The estimated tokens of each part of the request, in the order in which the parts first appear.

    The first message is matched against the run's template of its role (or else another of them); what a placeholder
    was filled with counts under its name, the template's own text as instructions. Later messages are the trajectory.

    >>> from agents.events import Message
    >>> request = ModelRequest("answer", (Message("user", "Be short. How old is it?"), Message("user", "It is new.")))
    >>> list(prompt_parts(request, {"answer": "Be short. {question}"}))
    ['instructions', 'question', 'trajectory']
    """
    first, *later = request.messages
    own = {request.role: templates[request.role]} if request.role in templates else {}
    found = next(
        (found for template in (own | dict(templates)).values() if (found := _split(template, first.content))), []
    )
    parts: dict[str, int] = {}
    for name, text in found or [(INSTRUCTIONS, first.content)]:
        parts[name] = parts.get(name, 0) + estimate_tokens(text)
    for message in later:
        parts[TRAJECTORY] = parts.get(TRAJECTORY, 0) + estimate_tokens(message.content)
    return {name: tokens for name, tokens in parts.items() if tokens}


def _split(template: str, filled: str) -> list[tuple[str, str]]:
    """The filled template cut at its placeholders, or nothing where it is not this template filled."""
    cut = list(pieces(template))
    pattern = "".join("(.*?)" if piece.name else f"({re.escape(piece.text)})" for piece in cut)
    match = re.fullmatch(pattern, filled, re.DOTALL)
    if match is None:
        return []
    return [
        (piece.name if piece.name in KNOWN else INSTRUCTIONS, text)
        for piece, text in zip(cut, match.groups(), strict=True)
    ]
