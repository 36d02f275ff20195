"""Direct: the question goes to the model once, and its reply is the answer.

question → answer

This is no paradigm but the baseline: an agent that makes more calls than this should have something to show for it.
"""

from agents.base import Agent, Events, whole_run
from agents.events import FinalAnswer, StepStarted


class Direct(Agent):
    """Answers in one call."""

    name = "direct"

    @whole_run
    def stream(self, question: str) -> Events:
        """The one call and its reply."""
        yield StepStarted(1, "answer", self.say("step.answer"))
        response = yield from self.ask_for_text("answer", self.prompt("answer", {"question": question}))
        yield FinalAnswer(response.text.strip(), "truncated" if response.finish_reason == "length" else "")
        yield self.ended("answered")
