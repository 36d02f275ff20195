"""Forks: a finished step of a run is changed by a person, and the run goes on from there, beside the original.

A fork is an ordinary agent. Its model replies with what was recorded up to the change and its tools return what they
returned then (`models.recorded`, `tools.recorded`), so the agent's own loop comes to the same place without a call;
from there on the model is asked. A reply or an observation is changed by putting another text in its place; a changed
thought is the beginning of a reply that the model goes on with, as where a human corrects thoughts in the ReAct paper
(https://arxiv.org/abs/2210.03629, "human-in-the-loop").
"""

import json
import re
from dataclasses import replace

from agents import wording
from agents.base import Agent, Model, Settings
from agents.by_name import Switches, limit_in, make_agent
from agents.errors import ForkError, FormatError
from agents.events import (
    Action,
    Change,
    Draft,
    Event,
    Feedback,
    Language,
    ModelResponse,
    Observation,
    Part,
    Plan,
    Scalar,
    Stamped,
    StepResult,
    StepStarted,
    Thought,
)
from agents.models.recorded import RecordedModel
from agents.parsing.plan import read_plan
from agents.parsing.reasoning import says_nothing
from agents.parsing.verdict import read_verdict
from agents.react import MOST_SAME_CALLS
from agents.reflection import asks_for_code
from agents.run import Run
from agents.tools.recorded import RecordedToolbox
from agents.tools.toolbox import Toolbox


def changeable(run: Run, step: int) -> dict[Part, str]:
    """What a person can change in the step with this number, and how it reads now. A plan is one step a line."""
    before, own = _split(run, step)
    parts: dict[Part, str] = {}
    for event in (stamped.event for stamped in own):
        match event:
            case Thought():
                parts["thought"] = event.text
            case Plan():
                parts["plan"] = "\n".join(" ".join(step.split()) for step in event.steps)
            case StepResult():
                parts["result"] = event.text
            case Draft():
                parts["draft"] = event.text
            case Feedback():
                parts["feedback"] = event.text
            case _:
                pass
    used = _uses(own)
    if used and _came_from_a_tool(run, used[0][0], [action for action, _ in _uses(before)]):
        parts["observation"] = used[0][1].text
    return parts


def fork(run: Run, step: int, part: Part, text: str, by: str, model: Model, toolbox: Toolbox) -> Agent:
    """The agent that takes over `run` up to this part of this step, puts `text` there, and goes on with `model`.

    Prompts, limits, switches and the names of the tools are those of the run; `toolbox` has the tools themselves. `by`
    says who made the change. A blank observation becomes what a model is told of a tool that returned nothing, and
    feedback without a verdict asks for a revision. The question is that of the run: `agent.stream(started.question)`.
    Raises ForkError where this cannot be done.
    """
    parts = changeable(run, step)
    if run.started is None or part not in parts:
        raise ForkError("no_such_part")
    settings, language = run.started.settings, run.started.language
    if part == "observation":
        text = text if text.strip() else wording.sentence("tool.no_output", language)
    elif says_nothing(text):  # the agent would ask the model for it once more
        raise ForkError("blank")
    elif part == "feedback" and any(slip.rule == "no_verdict" for slip in read_verdict(text).slips):
        text = f"{text.rstrip()}\n{wording.sentence('step.verdict_revise', language)}"
    before, own = _split(run, step)
    taken = own if part != "thought" else own[:1]
    change = Change(step, part, parts[part], text, by, taken[-1].at)
    earlier = [old for old in run.started.changes if old.step < step or (old.step == step and old.part == "thought")]
    changes = [old for old in earlier if (old.step, old.part) != (step, part)]
    used = [*_uses(before), *_uses(taken)]
    replies = [stamped.event for stamped in (*before, *taken) if isinstance(stamped.event, ModelResponse)]
    limit = limit_in(settings)
    if part == "observation":
        used[-1] = (used[-1][0], replace(used[-1][1], text=text, is_error=False))
    elif part != "thought":
        is_code = asks_for_code(run.started.templates.get("writer", ""))
        replies[-1] = replace(replies[-1], text=_as_reply(part, text, is_code, limit), finish_reason="stop")
    return make_agent(
        run.started.agent,
        RecordedModel(replies, model),
        RecordedToolbox(used, _tools_of(run, toolbox, language)),
        run.started.templates,
        Settings(
            language,
            _number(settings["temperature"]),
            int(_number(settings["max_tokens"])),
            int(_number(settings["token_budget"])),
            (*changes, change),
        ),
        limit,
        Switches.of(settings),
    )


def _split(run: Run, step: int) -> tuple[list[Stamped], list[Stamped]]:
    """The events before the step with this number, and its own."""
    before: list[Stamped] = []
    own: list[Stamped] = []
    number = 0
    for stamped in run.events:
        if isinstance(stamped.event, StepStarted):
            number = stamped.event.number
        if number <= step:
            (before if number < step else own).append(stamped)
    return before, own


def _uses(events: list[Stamped]) -> list[tuple[Action, Observation]]:
    """Each action with the observation that came of it."""
    pairs: list[tuple[Action, Observation]] = []
    last: Event | None = None
    for event in (stamped.event for stamped in events):
        if isinstance(last, Action) and isinstance(event, Observation):
            pairs.append((last, event))
        last = event
    return pairs


def _came_from_a_tool(run: Run, action: Action, earlier: list[Action]) -> bool:
    """Whether a tool said it, not the agent: there is such a tool, and this call was not made twice before."""
    return action.tool in _tool_names(run) and earlier.count(action) < MOST_SAME_CALLS


def _tool_names(run: Run) -> list[str]:
    names = str(run.started.settings.get("tools", "")) if run.started else ""
    return [name for name in names.split(", ") if name]


def _tools_of(run: Run, toolbox: Toolbox, language: Language) -> Toolbox:
    """The run's tools, in its order and language."""
    found = {tool.name: tool for tool in toolbox.tools}
    names = _tool_names(run)
    if set(names) - set(found):
        raise ForkError("tool_missing")
    return Toolbox([found[name] for name in names], language)


def _as_reply(part: Part, text: str, is_code: bool, limit: int) -> str:
    """The reply from which this text is read: a plan as a list, code in a fence that nothing in it ends."""
    if part == "plan":
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        steps = _steps(json.dumps(lines, ensure_ascii=False), limit)
        if len(steps) != len(lines) or not all(map(str.endswith, lines, steps)):
            raise ForkError("unreadable_plan")
        return json.dumps(steps, ensure_ascii=False)  # without the numbers in front of the lines
    if part == "draft" and is_code:
        fence = "`" * max(3, 1 + max((len(ticks) for ticks in re.findall("`+", text)), default=0))
        return f"{fence}python\n{text}\n{fence}"
    return text


def _steps(reply: str, limit: int) -> list[str]:
    """The steps that are read from a planner's reply; none where it cannot be read."""
    try:
        return list(read_plan(reply, limit).steps)
    except FormatError:
        return []


def _number(value: Scalar) -> float:
    return float(value or 0)
