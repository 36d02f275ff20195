"""What happened in a step, in one to three plain sentences, for a class that does not program. No drawing here.

First what came of the step, then what was odd about the reply, last why the run ended with it. The sentences are in
`texts/what_happened.toml`; which of them hold is read from the same events that the cards are drawn from.
"""

from collections.abc import Mapping
from typing import assert_never

from agents import wording
from agents.events import (
    Action,
    Draft,
    Feedback,
    FinalAnswer,
    Observation,
    Plan,
    RunEnded,
    StepResult,
)
from agents.parsing.code import same_work
from components import texts
from components.oddities import oddities_of
from components.safe_text import plain, shortened
from components.steps import Step, Steps
from components.texts import language, say

MOST_SENTENCES = 3


def what_happened(steps: Steps, position: int) -> str:
    """What happened in the step at this position, as Markdown; "" while it goes on and nothing can be said yet."""
    step = steps.steps[position]
    is_last = position == len(steps.steps) - 1
    is_live = is_last and steps.ended is None
    changed = _changed(steps, step)
    # What a person wrote is not the model's doing; what came of a thought of theirs is.
    is_outcome_told = not changed or all(change.part == "thought" for change in steps.changes_of(step))
    told = changed + (_outcome(steps, position, is_last, is_live) if is_outcome_told else [])
    if step.kind != "react" and "empty_reply" in step.rules:
        told = [_say("first_reply_empty"), *told]
    ending = _ending(step, steps.ended) if is_last and steps.ended else []
    oddities = [_say(entry) for entry in oddities_of(steps, position)] if told else []
    sentences = [*told, *oddities[: max(0, MOST_SENTENCES - len(told) - len(ending))], *ending]
    if not sentences and not is_live:
        sentences = [_say("nothing")]
    return ("" if language() == "zh" else " ").join(sentences)


def _changed(steps: Steps, step: Step) -> list[str]:
    """What a person changed in the step of a fork, which is then not the model's doing."""
    action = step.first(Action)
    values = _tool(action) if action else {}
    return [_say(f"changed_{change.part}", values) for change in steps.changes_of(step)]


def _outcome(steps: Steps, position: int, is_last: bool, is_live: bool) -> list[str]:
    """What came of the step, as far as it has come; nothing where nothing has."""
    step = steps.steps[position]
    answer = step.first(FinalAnswer)
    match step.kind:
        case "react":
            return _turn(steps, position, is_live)
        case "plan":
            return _planning(step, is_last)
        case "execute":
            result = step.first(StepResult)
            is_answer = [_say("last_result")] if answer else []
            return [_carried_out(result, steps.steps[:position]), *is_answer] if result else []
        case "close":
            return [_closing(answer, steps.steps[:position])] if answer else []
        case "answer":
            return [_say("answered_at_once")] if answer else []
        case "draft":
            return [_say("draft")] if step.first(Draft) else []
        case "review":
            feedback = step.first(Feedback)
            return [_verdict(feedback, step.rules)] if feedback else []
        case "revise":
            draft = step.first(Draft)
            is_last_round = answer is not None and steps.ended is not None and steps.ended.reason == "round_limit"
            last_round = [_say("not_reviewed")] if is_last_round else []
            return [_revision(draft, steps, position), *last_round] if draft else []
        case _:
            assert_never(step.kind)


def _turn(steps: Steps, position: int, is_live: bool) -> list[str]:
    """A turn of ReAct: an answer, a reply that could not be read, or a tool and what came back."""
    step, earlier = steps.steps[position], steps.steps[:position]
    answer, action, observation = step.first(FinalAnswer), step.first(Action), step.first(Observation)
    if answer and answer.caveat == "unformatted":
        return [_say("unformatted")]
    if answer:
        results = [event for step in earlier for event in step.outcomes if isinstance(event, Observation)]
        has_used_tools = any(not result.is_error for result in results)
        return [_say("answered" if has_used_tools else "answered_without_tools")]
    if action is None:
        return [_fault(step), _say("reminded")] if observation else []
    if observation is None:
        return [_say("tool_asked" if is_live else "tool_without_result", _tool(action))]
    if observation.is_error:
        return [_failure(steps, position, action, observation)]
    return [_say("tool_used", _tool(action))]


def _failure(steps: Steps, position: int, action: Action, observation: Observation) -> str:
    """Why the tool that was asked for gave no result."""
    tools = steps.started.settings.get("tools") if steps.started else None
    if tools == "":
        return _say("no_tools", _tool(action))
    if isinstance(tools, str) and action.tool not in tools.split(", "):
        return _say("unknown_tool", _tool(action))
    times = 1 + steps.times_before(position, action)
    if times > 2:
        return _say("same_call", _tool(action) | {"times": str(times)})
    before = steps.steps[position - 1].first(Observation) if position else None
    # The same fault a second time in a row has the tool's usage added to it.
    is_longer = before is not None and len(observation.text) > len(before.text) > 0
    if before and before.is_error and is_longer and observation.text.startswith(before.text):
        return _say("tool_failed_again", _tool(action))
    return _say("tool_failed", _tool(action))


def _planning(step: Step, is_last: bool) -> list[str]:
    """The plan, or why there is none."""
    plan = step.first(Plan)
    if plan:
        return [_say("plan_of_one" if len(plan.steps) == 1 else "plan", {"n": str(len(plan.steps))})]
    if set(step.rules) <= {"empty_reply"}:
        return []
    return [_fault(step)] if is_last else [_fault(step), _say("asked_again")]


def _fault(step: Step) -> str:
    """Why the step's reply could not be read."""
    rule = (step.rules or ["other"])[-1]
    is_known = f"fault_{rule}" in wording.load(texts.__name__, "what_happened")
    return _say(f"fault_{rule}" if is_known else "fault_other")


def _carried_out(result: StepResult, earlier: list[Step]) -> str:
    plans = [event for step in earlier for event in step.outcomes if isinstance(event, Plan)]
    total = {"total": str(len(plans[-1].steps))} if plans else {}
    return _say("carried_out" if plans else "carried_out_one", {"number": str(result.number)} | total)


def _closing(answer: FinalAnswer, earlier: list[Step]) -> str:
    if answer.caveat == "at_the_limit":
        return _say("closed_at_the_limit")
    return _say("closed" if any(step.kind == "execute" for step in earlier) else "closed_from_the_plan")


def _verdict(feedback: Feedback, rules: list[str]) -> str:
    entry = "approved" if feedback.approved else "no_verdict" if "no_verdict" in rules else "not_approved"
    return _say(entry, {"version": str(feedback.version)})


def _revision(draft: Draft, steps: Steps, position: int) -> str:
    before = steps.drafts_before(position)
    same = [version for version, text in enumerate(before, start=1) if same_work(draft.text, text)]
    if same:
        return _say("revised_nothing" if same[-1] == len(before) else "went_back", {"version": str(same[-1])})
    was_reviewed = position > 0 and steps.steps[position - 1].kind == "review"
    return _say("revised" if was_reviewed else "revised_alone", {"version": str(draft.version)})


def _ending(step: Step, ended: RunEnded) -> list[str]:
    """Why the run ended with this step, where the step itself does not say it."""
    latest = step.calls[-1:]  # a run may end before the step's first call
    is_partial = any(
        call.text and (call.response is None or call.response.finish_reason == "interrupted") for call in latest
    )
    match ended.reason:
        case "stopped":
            return [_say("stopped_partly" if is_partial else "stopped")]
        case "model_error" if ended.error == "empty_reply":
            return [_say("empty_again")]
        case "model_error":
            return [_say("model_error_partly" if is_partial else "model_error")]
        case "token_budget" | "no_plan":
            return [_say(ended.reason)]
        case "step_limit":
            return [] if step.first(FinalAnswer) else [_say("step_limit")]
        case "answered" | "approved" | "no_change" | "alternating" | "round_limit":
            return []
        case _:
            assert_never(ended.reason)


def _tool(action: Action) -> dict[str, str]:
    return {"tool": plain(shortened(action.tool, 40))}


def _say(entry: str, values: Mapping[str, str] | None = None) -> str:
    return say(f"what_happened.{entry}", values)
