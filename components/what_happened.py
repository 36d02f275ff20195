"""What happened in a step, in one to three plain sentences, for a class that does not program. No drawing here.

First what came of the step, then what was odd about the reply, last why the run ended with it. The sentences are in
`texts/what_happened.toml`; which of them hold is read from the same events that the cards are drawn from.
"""

from collections.abc import Mapping
from typing import TypeVar, assert_never

from agents import wording
from agents.events import (
    Action,
    Draft,
    Event,
    Feedback,
    FinalAnswer,
    FormatSlip,
    Observation,
    Plan,
    RunEnded,
    StepResult,
    Thought,
)
from agents.parsing.code import same_work
from agents.parsing.labels import find_labels
from components import texts
from components.safe_text import plain, shortened
from components.steps import Step, Steps
from components.texts import language, say

MOST_SENTENCES = 3

AnyEvent = TypeVar("AnyEvent", bound=Event)


def what_happened(steps: Steps, position: int) -> str:
    """What happened in the step at this position, as Markdown; "" while it goes on and nothing can be said yet."""
    step = steps.steps[position]
    is_last = position == len(steps.steps) - 1
    is_live = is_last and steps.ended is None
    changed = _changed(steps, step)
    # What a person wrote is not the model's doing; what came of a thought of theirs is.
    is_outcome_told = not changed or all(change.part == "thought" for change in steps.changes_of(step))
    told = changed + (_outcome(steps, position, is_last, is_live) if is_outcome_told else [])
    if step.kind != "react" and "empty_reply" in _rules(step):
        told = [_say("first_reply_empty"), *told]
    ending = _ending(step, steps.ended) if is_last and steps.ended else []
    oddities = _oddities(steps, position) if told else []
    sentences = [*told, *oddities[: max(0, MOST_SENTENCES - len(told) - len(ending))], *ending]
    if not sentences and not is_live:
        sentences = [_say("nothing")]
    return ("" if language() == "zh" else " ").join(sentences)


def _changed(steps: Steps, step: Step) -> list[str]:
    """What a person changed in the step of a fork, which is then not the model's doing."""
    action = _first(step, Action)
    values = _tool(action) if action else {}
    return [_say(f"changed_{change.part}", values) for change in steps.changes_of(step)]


def _outcome(steps: Steps, position: int, is_last: bool, is_live: bool) -> list[str]:
    """What came of the step, as far as it has come; nothing where nothing has."""
    step = steps.steps[position]
    answer = _first(step, FinalAnswer)
    match step.kind:
        case "react":
            return _turn(steps, position, is_live)
        case "plan":
            return _planning(step, is_last)
        case "execute":
            result = _first(step, StepResult)
            is_answer = [_say("last_result")] if answer else []
            return [_carried_out(result, steps.steps[:position]), *is_answer] if result else []
        case "close":
            return [_closing(answer, steps.steps[:position])] if answer else []
        case "answer":
            return [_say("answered_at_once")] if answer else []
        case "draft":
            return [_say("draft")] if _first(step, Draft) else []
        case "review":
            feedback = _first(step, Feedback)
            return [_verdict(feedback, _rules(step))] if feedback else []
        case "revise":
            draft = _first(step, Draft)
            is_last_round = answer is not None and steps.ended is not None and steps.ended.reason == "round_limit"
            last_round = [_say("not_reviewed")] if is_last_round else []
            return [_revision(draft, steps, position), *last_round] if draft else []
        case _:
            assert_never(step.kind)


def _turn(steps: Steps, position: int, is_live: bool) -> list[str]:
    """A turn of ReAct: an answer, a reply that could not be read, or a tool and what came back."""
    step, earlier = steps.steps[position], steps.steps[:position]
    answer, action, observation = _first(step, FinalAnswer), _first(step, Action), _first(step, Observation)
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
    times = 1 + _times_before(steps, position, action)
    if times > 2:
        return _say("same_call", _tool(action) | {"times": str(times)})
    before = _first(steps.steps[position - 1], Observation) if position else None
    # The same fault a second time in a row has the tool's usage added to it.
    is_longer = before is not None and len(observation.text) > len(before.text) > 0
    if before and before.is_error and is_longer and observation.text.startswith(before.text):
        return _say("tool_failed_again", _tool(action))
    return _say("tool_failed", _tool(action))


def _planning(step: Step, is_last: bool) -> list[str]:
    """The plan, or why there is none."""
    plan = _first(step, Plan)
    if plan:
        return [_say("plan_of_one" if len(plan.steps) == 1 else "plan", {"n": str(len(plan.steps))})]
    if set(_rules(step)) <= {"empty_reply"}:
        return []
    return [_fault(step)] if is_last else [_fault(step), _say("asked_again")]


def _fault(step: Step) -> str:
    """Why the step's reply could not be read."""
    rule = (_rules(step) or ["other"])[-1]
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


def _oddities(steps: Steps, position: int) -> list[str]:
    """What was odd about the step's reply, what matters most first."""
    step = steps.steps[position]
    answer, action = _first(step, FinalAnswer), _first(step, Action)
    response = step.calls[-1].response if step.calls else None
    is_cut_off = response is not None and response.finish_reason in ("length", "max_tokens")
    broke_off = "truncated" in _rules(step) or (answer is not None and answer.caveat == "truncated")
    found = ["cut_off"] if is_cut_off else ["broke_off"] if broke_off else []
    found += [_oddity(slip, step) for slip in step.outcomes if isinstance(slip, FormatSlip)]
    if all(isinstance(event, FormatSlip | Thought | Observation) for event in step.outcomes):
        # Nothing was made of the reply, so that how it was read is beside the point.
        return [_say(entry) for entry in dict.fromkeys(found) if entry in ("cut_off", "broke_off", "invented")]
    if action and _times_before(steps, position, action) == 1:
        found.append("asked_before")
    is_formatted = action or (step.kind == "react" and answer and answer.caveat != "unformatted")
    has_reasoned = "reasoning_removed" in _rules(step) or any(call.reasoning for call in step.calls)
    if is_formatted and not has_reasoned and _first(step, Thought) is None:
        found.append("no_thought")
    # All that only mended the form is one sentence, and the last.
    ordered = sorted(dict.fromkeys(found), key=lambda entry: entry == "form")
    return [_say(entry) for entry in ordered if entry]


def _oddity(slip: FormatSlip, step: Step) -> str:
    """The entry for a slip; "" where it is said elsewhere."""
    match slip.rule:
        case "after_action":
            has_another = any(label.kind == "action" for label in find_labels(slip.cut))
            return "several_actions" if has_another else "after_action"
        case "invented_observation":
            return "invented"
        case "no_code":
            return "no_code_at_first" if step.kind == "draft" else "no_code_again"
        case "plan_capped" | "dropped_items" | "prose_removed" | "reasoning_removed":
            return slip.rule
        case "empty_reply" | "truncated" | "no_verdict":
            return ""
        case _:
            return "form"


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
            return [] if _first(step, FinalAnswer) else [_say("step_limit")]
        case "answered" | "approved" | "no_change" | "alternating" | "round_limit":
            return []
        case _:
            assert_never(ended.reason)


def _times_before(steps: Steps, position: int, action: Action) -> int:
    """How often the very same call was made before the step at this position."""
    return [event for step in steps.steps[:position] for event in step.outcomes].count(action)


def _first(step: Step, kind: type[AnyEvent]) -> AnyEvent | None:
    return next((event for event in step.outcomes if isinstance(event, kind)), None)


def _rules(step: Step) -> list[str]:
    return [event.rule for event in step.outcomes if isinstance(event, FormatSlip)]


def _tool(action: Action) -> dict[str, str]:
    return {"tool": plain(shortened(action.tool, 40))}


def _say(entry: str, values: Mapping[str, str] | None = None) -> str:
    return say(f"what_happened.{entry}", values)
