"""Reflection: a draft is reviewed and revised until the reviewer approves it.

task → draft → [feedback → revision] → … → the approved version

Papers: Madaan et al., "Self-Refine", 2023, https://arxiv.org/abs/2303.17651, for the loop of feedback and refinement;
Shinn et al., "Reflexion", 2023, https://arxiv.org/abs/2303.11366, for keeping what was said in memory.
The same model plays writer, reviewer and reviser, with a prompt for each. The reviewer's last line is the verdict
(`parsing.verdict`). A writer's template that asks for a ``` block makes the work code, which is then taken out of every
reply (`parsing.code`); otherwise the whole reply is the work.
"""

from collections.abc import Mapping, Sequence

from agents.base import Agent, Events, Model, Settings, whole_run
from agents.events import Caveat, Draft, Feedback, FinalAnswer, Scalar, StepStarted
from agents.parsing.code import ReadCode, read_code, same_work
from agents.parsing.verdict import read_verdict


def asks_for_code(writer: str) -> bool:
    """Whether this template of the writer makes the work code."""
    return "```" in writer


class Reflection(Agent):
    """Drafts, reviews and revises, for at most `max_rounds` rounds of review and revision.

    Where `reviews` is false, nobody reviews: each round is a revision without feedback.
    """

    name = "reflection"

    def __init__(
        self,
        model: Model,
        templates: Mapping[str, str] | None = None,
        settings: Settings | None = None,
        max_rounds: int = 3,
        reviews: bool = True,
    ) -> None:
        super().__init__(model, templates, settings)
        self.max_rounds = max_rounds
        self.reviews = reviews

    @whole_run
    def stream(self, question: str) -> Events:
        """Draft once, then feedback and revision in rounds."""
        yield StepStarted(1, "draft", self.say("step.draft"))
        response = yield from self.ask_for_text("writer", self.prompt("writer", {"question": question}))
        work = self.read_work(response.text)
        yield from map(self.slip, work.slips)
        versions, feedbacks = [work.code], list[str]()
        unread: Caveat = "" if self.reviews else "not_reviewed"
        yield Draft(1, versions[-1])

        number = 1
        for version in range(1, self.max_rounds + 1):
            values = {"question": question, "draft": versions[-1]}
            feedback = self.say("step.no_feedback")
            if self.reviews:
                number += 1
                yield StepStarted(number, "review", self.say("step.review", {"version": str(version)}))
                response = yield from self.ask_for_text("reviewer", self.prompt("reviewer", values))
                feedback = response.text.strip()
                verdict = read_verdict(response.text)
                yield from map(self.slip, verdict.slips)
                yield Feedback(version, feedback, verdict.approved)
                if verdict.approved:
                    yield FinalAnswer(versions[-1])
                    yield self.ended("approved", {"version": str(version)})
                    return

            number += 1
            yield StepStarted(number, "revise", self.say("step.revise", {"version": str(version)}))
            values |= {"feedback": feedback, "history": self.history(versions, feedbacks)}
            feedbacks.append(feedback)
            response = yield from self.ask_for_text("reviser", self.prompt("reviser", values))
            work = self.read_work(response.text, previous=versions[-1])
            yield from map(self.slip, work.slips)
            yield Draft(version + 1, work.code)
            if same_work(work.code, versions[-1]):
                yield FinalAnswer(versions[-1], unread)
                yield self.ended("no_change")
                return
            if any(same_work(work.code, earlier) for earlier in versions):
                yield FinalAnswer(work.code, unread)
                yield self.ended("alternating", {"version": str(version + 1)})
                return
            versions.append(work.code)

        yield FinalAnswer(versions[-1], "not_reviewed")
        yield self.ended("round_limit", {"limit": str(self.max_rounds)})

    def read_work(self, reply: str, previous: str = "") -> ReadCode:
        """The work in a reply: its code where the writer was asked for code, else the reply itself."""
        return read_code(reply, previous) if asks_for_code(self.templates["writer"]) else ReadCode(reply.strip(), ())

    def history(self, versions: Sequence[str], feedbacks: Sequence[str]) -> str:
        """The memory: every version before the latest, with what was said about it."""
        earlier = [
            self.say("step.version", {"version": str(number), "draft": draft, "feedback": feedback})
            for number, (draft, feedback) in enumerate(zip(versions, feedbacks, strict=False), start=1)
        ]
        return "\n\n".join(earlier) or self.say("step.nothing_yet")

    def limits(self) -> dict[str, Scalar]:
        """The number of rounds, and what is switched off, for the record."""
        return {"max_rounds": self.max_rounds, "reviews": self.reviews}
