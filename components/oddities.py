"""What was odd about a step's reply, as entries of `texts/what_happened.toml`. No drawing here."""

from agents.events import Action, FinalAnswer, FormatSlip, Observation, Thought
from agents.parsing.labels import find_labels
from components.steps import Step, Steps


def oddities_of(steps: Steps, position: int) -> list[str]:
    """What was odd about the reply of the step at this position, what matters most first: entries of the texts."""
    step = steps.steps[position]
    answer, action = step.first(FinalAnswer), step.first(Action)
    response = step.calls[-1].response if step.calls else None
    is_cut_off = response is not None and response.finish_reason in ("length", "max_tokens")
    broke_off = "truncated" in step.rules or (answer is not None and answer.caveat == "truncated")
    found = ["cut_off"] if is_cut_off else ["broke_off"] if broke_off else []
    found += [_oddity(slip, step) for slip in step.slips]
    if all(isinstance(event, FormatSlip | Thought | Observation) for event in step.outcomes):
        # Nothing was made of the reply, so that how it was read is beside the point.
        return [entry for entry in dict.fromkeys(found) if entry in ("cut_off", "broke_off", "invented")]
    if action and steps.times_before(position, action) == 1:
        found.append("asked_before")
    is_formatted = action or (step.kind == "react" and answer and answer.caveat != "unformatted")
    has_reasoned = "reasoning_removed" in step.rules or any(call.reasoning for call in step.calls)
    if is_formatted and not has_reasoned and step.first(Thought) is None:
        found.append("no_thought")
    # All that only mended the form is one sentence, and the last.
    ordered = sorted(dict.fromkeys(found), key=lambda entry: entry == "form")
    return [entry for entry in ordered if entry]


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
