"""Plan-and-Solve: one call makes a plan, then one call carries out each of its steps.

question → plan → step 1 → result 1 → step 2 → result 2 → … → answer

Paper: Wang et al., "Plan-and-Solve Prompting", 2023, https://arxiv.org/abs/2305.04091. The paper does both in one
prompt; this is the form with separate calls, also known as plan-and-execute. The executor has no tools: it sees the
question, the whole plan, the results so far and its own step. Reading a plan is `parsing.plan`.
"""

from collections.abc import Mapping

from agents.base import Agent, Events, Model, Settings, whole_run
from agents.errors import FormatError
from agents.events import FinalAnswer, FormatSlip, Message, Plan, Scalar, StepResult, StepStarted
from agents.parsing.plan import read_plan


class PlanAndSolve(Agent):
    """Plans first, then works through the plan, at most `max_steps` steps long.

    A closing call answers the question from the results. Where `closes` is false, the last step's result is the
    answer instead. Where `executes` is false, no step is carried out and the closing call has the plan alone.
    """

    name = "plan_and_solve"

    def __init__(
        self,
        model: Model,
        templates: Mapping[str, str] | None = None,
        settings: Settings | None = None,
        max_steps: int = 8,
        closes: bool = True,
        executes: bool = True,
    ) -> None:
        super().__init__(model, templates, settings)
        self.max_steps = max_steps
        self.closes = closes
        self.executes = executes

    @whole_run
    def stream(self, question: str) -> Events:
        """Plan, solve, close."""
        messages = self.prompt("planner", {"question": question, "max_steps": str(self.max_steps)})
        for attempt in ("plan", "replan"):
            number = 1 if attempt == "plan" else 2
            yield StepStarted(number, "plan", self.say(f"step.{attempt}"))
            response = yield from self.ask_for_text("planner", messages)
            try:
                plan = read_plan(response.text, self.max_steps)
                break
            except FormatError as error:
                fault = self.say(f"fault.{error.rule}")
                yield FormatSlip(error.rule, fault, response.text)
                reminder = self.prompt("reminder", {"fault": fault})
                messages = (*messages, Message("assistant", response.text), *reminder)
        else:
            yield self.ended("no_plan", {"fault": fault})
            return
        yield from map(self.slip, plan.slips)
        yield Plan(plan.steps)

        results: list[str] = []
        for step in plan.steps if self.executes else ():
            number += 1
            yield StepStarted(number, "execute", step)
            values = self.values(question, plan.steps, results) | {"step": step}
            response = yield from self.ask_for_text("executor", self.prompt("executor", values))
            results.append(response.text.strip())
            yield StepResult(len(results), results[-1])

        if self.closes or not results:
            yield StepStarted(number + 1, "close", self.say("step.close"))
            prompt = self.prompt("closing", self.values(question, plan.steps, results))
            response = yield from self.ask_for_text("closing", prompt)
        yield FinalAnswer(response.text.strip(), "truncated" if response.finish_reason == "length" else "")
        yield self.ended("answered")

    def values(self, question: str, steps: tuple[str, ...], results: list[str]) -> dict[str, str]:
        """What executor and closing call are told: the question, the whole plan, and each finished step's result."""
        finished = [
            self.say("step.result", {"number": str(number), "step": step, "text": text})
            for number, (step, text) in enumerate(zip(steps, results, strict=False), start=1)
        ]
        return {
            "question": question,
            "plan": "\n".join(f"{number}. {step}" for number, step in enumerate(steps, start=1)),
            "results": "\n".join(finished) or self.say("step.nothing_yet"),
        }

    def limits(self) -> dict[str, Scalar]:
        """The length of the plan, and what is switched off, for the record."""
        return {"max_steps": self.max_steps, "closes": self.closes, "executes": self.executes}
