"""ReAct: the model thinks and acts in turns, and sees what came of each action.

question → [thought → action → observation] → … → Finish[answer]

Paper: Yao et al., "ReAct: Synergizing Reasoning and Acting in Language Models", 2022, https://arxiv.org/abs/2210.03629.
The trajectory (all thoughts, actions and observations so far) is sent again with every turn and only ever grows at its
end. As a rule it is sent as chat turns; a template that contains {trajectory} gets it as text there, as in the paper.
This file holds the loop. Reading a reply is `parsing.react_reply`, running a tool is `tools.toolbox`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from agents.base import Agent, Events, Model, Settings, whole_run
from agents.events import Action, FinalAnswer, FormatSlip, Message, Observation, Scalar, StepStarted, Thought
from agents.parsing.labels import escape_labels
from agents.parsing.react_reply import read_reply
from agents.prompts import placeholders_in
from agents.tools.toolbox import Toolbox

MOST_SAME_CALLS = 2  # the same call once more is answered with a hint
STOP = ("\nObservation", "\n观察")  # where the server is to end a reply, before the model invents the observation


@dataclass(frozen=True)
class Turn:
    """One turn of the trajectory: what the model said, the action read from it (if any), and what it was shown."""

    said: str
    action: Action | None
    observation: Observation


class ReAct(Agent):
    """Thought, action and observation in turns, until the model finishes or `max_steps` turns are over.

    What can be taken out: `closes`, at the limit a closing call that asks for the best answer from what was observed;
    `sends_stop`, the stop sequence; `keeps_thoughts`, the thoughts in the trajectory.
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
        sends_stop: bool = True,
        keeps_thoughts: bool = True,
    ) -> None:
        super().__init__(model, templates, settings)
        self.toolbox, self.max_steps = toolbox, max_steps
        self.closes, self.sends_stop, self.keeps_thoughts = closes, sends_stop, keeps_thoughts

    @whole_run
    def stream(self, question: str) -> Events:
        """The loop of the paper, one turn a step."""
        trajectory: list[Turn] = []
        for number in range(1, self.max_steps + 1):
            yield StepStarted(number, "react", self.say("step.react", {"number": str(number)}))
            given = self.given_thought(number)
            messages = self.messages(question, trajectory, given)
            response = yield from self.ask("react", messages, STOP if self.sends_stop else ())
            call, ending = response.tool_call, response.finish_reason
            reply = read_reply(response.text, self.toolbox.names, call, ending, given)
            yield from map(self.slip, reply.slips)
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
                action, fault = None, self.fault(reply.fault, reply.tool)
                yield FormatSlip(reply.fault, fault, response.text)
                observation = self.reminder(fault)
            else:
                yield (action := Action(reply.tool, reply.input))
                observation = self.observe(action, trajectory)
            yield observation
            trajectory.append(Turn(reply.kept, action, observation))

        if self.closes:
            yield StepStarted(self.max_steps + 1, "close", self.say("step.close"))
            messages = self.at_the_end(self.messages(question, trajectory), "closing", {"question": question})
            response = yield from self.ask_for_text("closing", messages)
            yield FinalAnswer(response.text.strip(), "at_the_limit")
        yield self.ended("step_limit", {"limit": str(self.max_steps)})

    def observe(self, action: Action, trajectory: Sequence[Turn]) -> Observation:
        """What the tool returns; what is wrong instead where there is none, or the same call was made twice before."""
        if action.tool not in self.toolbox.names:
            return self.reminder(self.fault("unknown_tool", action.tool))
        times = [turn.action for turn in trajectory].count(action)
        if times >= MOST_SAME_CALLS:
            values = {"times": str(times), "tools": self.toolbox.listed()}
            return Observation(self.say("step.same_call", values), is_error=True)
        observation = self.toolbox.use(action.tool, action.input, self._stop)
        if observation.is_error and trajectory and trajectory[-1].observation.text == observation.text:
            values = {"text": observation.text, "usage": self.toolbox.usage(action.tool)}
            observation = replace(observation, text=self.say("step.usage_again", values))
        return observation

    def fault(self, rule: str, tool: str) -> str:
        """What is wrong with the reply, in a sentence."""
        return self.say(f"fault.{rule}", {"tool": tool, "tools": self.toolbox.listed()})

    def reminder(self, fault: str) -> Observation:
        """What is wrong with the reply, and the form that it should have."""
        values = {"fault": fault, "tools": self.toolbox.listed()}
        return Observation(self.prompt("reminder", values)[0].content, is_error=True)

    def given_thought(self, number: int) -> str:
        """The thought that a person wrote for this turn of a fork: the reply begins with it, and the model goes on."""
        changes = [change for change in self.settings.changes if (change.step, change.part) == (number, "thought")]
        return self.say("step.thought", {"text": escape_labels(changes[-1].after)}) + "\n" if changes else ""

    def messages(self, question: str, trajectory: Sequence[Turn], given: str = "") -> tuple[Message, ...]:
        """The prompt and the trajectory: as chat turns, or as text where the template asks for it."""
        turns, lines = list[Message](), list[str]()
        for turn in trajectory:
            said = turn.said if self.keeps_thoughts or not turn.action else self.say("step.action", asdict(turn.action))
            # What a tool returns is data: it must not look like a turn of the model.
            is_data = turn.action is not None and turn.action.tool in self.toolbox.names
            shown = escape_labels(turn.observation.text) if is_data else turn.observation.text
            values = {"observation": shown, "question": question}
            turns += [Message("assistant", said), *self.prompt("observation", values)]
            lines += [said, self.say("step.observation", {"text": shown})]
        values = {"question": question, "tools": self.toolbox.describe(), "trajectory": "\n".join(lines)}
        prompt = self.prompt("react", values)
        whole = prompt if "trajectory" in placeholders_in(self.templates["react"]) else (*prompt, *turns)
        return self.at_the_end(whole, "given_thought", {"thought": given.strip()}) if given else whole

    def at_the_end(self, messages: Sequence[Message], role: str, values: Mapping[str, str]) -> tuple[Message, ...]:
        """The messages with another prompt at their very end, in the same turn as what stands there."""
        *before, last = messages
        return (*before, Message("user", f"{last.content}\n\n{self.prompt(role, values)[0].content}"))

    def limits(self) -> dict[str, Scalar]:
        """The step limit, the tools, and what is switched off, for the record."""
        switches = {"closes": self.closes, "sends_stop": self.sends_stop, "keeps_thoughts": self.keeps_thoughts}
        return {"max_steps": self.max_steps, "tools": ", ".join(self.toolbox.names), **switches}
