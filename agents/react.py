"""ReAct: the model thinks and acts in turns, and sees what came of each action.

question → [thought → action → observation] → … → Finish[answer]

Paper: Yao et al., "ReAct: Synergizing Reasoning and Acting in Language Models", 2022, https://arxiv.org/abs/2210.03629.
The trajectory (all thoughts, actions and observations so far) is sent again with every turn and only ever grows at its
end. As a rule it is sent as chat turns; a template that contains {trajectory} gets it as text there, as in the paper.
This file holds the loop. Reading a reply is `parsing.react_reply`, running a tool is `tools.toolbox`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from agents.base import Agent, Events, Model, Settings, whole_run
from agents.events import Action, FinalAnswer, FormatSlip, Message, Observation, Scalar, StepStarted, Thought
from agents.parsing.labels import escape_labels
from agents.parsing.react_reply import read_reply
from agents.prompts import placeholders_in
from agents.tools.toolbox import Toolbox

# A model that goes on by itself would invent the observation: the server is asked to end the reply there.
STOP = ("\nObservation", "\n观察")


@dataclass(frozen=True)
class Turn:
    """One turn of the trajectory: what the model said, the action read from it (if any), and what it was shown."""

    said: str
    action: Action | None
    observation: Observation


class ReAct(Agent):
    """Thought, action and observation in turns, until the model finishes or `max_steps` turns are over.

    At the limit one closing call asks for the best answer from what was observed, unless `closes` is false.
    """

    name = "react"

    def __init__(
        self,
        model: Model,
        toolbox: Toolbox,
        templates: Mapping[str, str] | None = None,
        settings: Settings | None = None,
        max_steps: int = 6,
        closes: bool = True,
    ) -> None:
        super().__init__(model, templates, settings)
        self.toolbox = toolbox
        self.max_steps = max_steps
        self.closes = closes

    @whole_run
    def stream(self, question: str) -> Events:
        """The loop of the paper, one turn a step."""
        trajectory: list[Turn] = []
        for number in range(1, self.max_steps + 1):
            yield StepStarted(number, "react", self.say("step.react", {"number": str(number)}))
            response = yield from self.ask("react", self.messages(question, trajectory), STOP)
            reply = read_reply(response.text, self.toolbox.names, response.tool_call, response.finish_reason)
            for slip in reply.slips:
                yield self.slip(slip)
            if reply.thought:
                yield Thought(reply.thought)

            if reply.kind == "finish":
                yield FinalAnswer(reply.input, "truncated" if reply.truncated else "")
                yield self.ended("answered")
                return
            if reply.kind == "no_action":
                if number == self.max_steps and reply.fault == "no_labels":
                    yield FinalAnswer(response.text.strip(), "unformatted")
                    yield self.ended("answered")
                    return
                action = None
                fault = self.fault(reply.fault, reply.tool)
                yield FormatSlip(reply.fault, fault, response.text)
                observation = self.reminder(fault)
            elif reply.kind == "unknown_tool":
                yield (action := Action(reply.tool, reply.input))
                observation = self.reminder(self.fault("unknown_tool", reply.tool))
            else:
                yield (action := Action(reply.tool, reply.input))
                observation = self.observe(action, trajectory)
            yield observation
            trajectory.append(Turn(reply.kept, action, observation))

        if self.closes:
            yield StepStarted(self.max_steps + 1, "close", self.say("step.close"))
            response = yield from self.ask_for_text("closing", self.closing(question, trajectory))
            yield FinalAnswer(response.text.strip(), "at_the_limit")
        yield self.ended("step_limit", {"limit": str(self.max_steps)})

    def observe(self, action: Action, trajectory: Sequence[Turn]) -> Observation:
        """What the tool returns; a hint instead where the same call was made twice before."""
        times = [turn.action for turn in trajectory].count(action)
        if times >= 2:
            values = {"times": str(times), "tools": ", ".join(self.toolbox.names)}
            return Observation(self.say("step.same_call", values), is_error=True)
        observation = self.toolbox.use(action.tool, action.input, self._stop)
        failed_before = bool(trajectory) and trajectory[-1].observation.text == observation.text
        if observation.is_error and failed_before:
            values = {"text": observation.text, "usage": self.toolbox.usage(action.tool)}
            observation = replace(observation, text=self.say("step.usage_again", values))
        return observation

    def fault(self, rule: str, tool: str) -> str:
        """What is wrong with the reply, in a sentence."""
        return self.say(f"fault.{rule}", {"tool": tool, "tools": ", ".join(self.toolbox.names)})

    def reminder(self, fault: str) -> Observation:
        """What is wrong with the reply, and the form that it should have."""
        values = {"fault": fault, "tools": ", ".join(self.toolbox.names)}
        return Observation(self.prompt("reminder", values)[0].content, is_error=True)

    def messages(self, question: str, trajectory: Sequence[Turn]) -> tuple[Message, ...]:
        """The prompt and the trajectory: as chat turns, or as text where the template asks for it."""
        turns: list[Message] = []
        lines: list[str] = []
        for turn in trajectory:
            # What a tool returns is data: it must not look like a turn of the model.
            shown = escape_labels(turn.observation.text)
            turns += [
                Message("assistant", turn.said),
                *self.prompt("observation", {"observation": shown, "question": question}),
            ]
            lines += [turn.said, self.say("step.observation", {"text": shown})]
        values = {"question": question, "tools": self.toolbox.describe(), "trajectory": "\n".join(lines)}
        prompt = self.prompt("react", values)
        return prompt if "trajectory" in placeholders_in(self.templates["react"]) else (*prompt, *turns)

    def closing(self, question: str, trajectory: Sequence[Turn]) -> tuple[Message, ...]:
        """The last turn's messages, with the closing prompt at their very end."""
        *before, last = self.messages(question, trajectory)
        prompt = self.prompt("closing", {"question": question})[0]
        return (*before, Message("user", f"{last.content}\n\n{prompt.content}"))

    def limits(self) -> dict[str, Scalar]:
        """The step limit, the closing call and the tools, for the record."""
        return {"max_steps": self.max_steps, "closes": self.closes, "tools": ", ".join(self.toolbox.names)}
