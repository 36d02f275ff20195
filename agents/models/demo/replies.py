"""From messages to a reply: reads what is asked for and lets the part that does such work write it."""

from collections.abc import Callable, Mapping, Sequence

from agents.events import Message
from agents.models.demo.acting import act
from agents.models.demo.answering import answer_directly
from agents.models.demo.planning import carry_out, conclude, plan
from agents.models.demo.reading import Asked, Role, read
from agents.models.demo.reviewing import review
from agents.models.demo.revising import revise

_WRITERS: Mapping[Role, Callable[[Asked], str]] = {
    "act": act,
    "plan": plan,
    "carry_out": carry_out,
    "conclude": conclude,
    "review": review,
    "revise": revise,
    "answer": answer_directly,
}


def reply_to(messages: Sequence[Message]) -> str:
    """The whole reply to these messages.

    >>> reply_to([Message("user", "What is 12 * 7?")])
    '12 * 7 = 84.'
    """
    asked = read(messages)
    return _WRITERS[asked.role](asked)
