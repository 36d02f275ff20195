"""Step cards: one card a step, drawn from what the run reported. The live card is open, finished ones are one line."""

import html
from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from agents import wording
from agents.events import (
    Action,
    Draft,
    Event,
    Feedback,
    FinalAnswer,
    FormatSlip,
    ModelRequest,
    ModelResponse,
    Observation,
    Plan,
    StepResult,
    Thought,
)
from components.card_labels import card_label, verdict_text
from components.differences import differences, differences_as_html
from components.look import LOOKS, ROLE_OF_STEP, Role, badge
from components.safe_text import as_markdown, plain, shortened
from components.steps import Call, Step, Steps
from components.texts import language, say
from components.what_happened import what_happened

_BLANK_BOX = ":gray[:material/check_box_outline_blank:]"


def draw_card(
    place: DeltaGenerator,
    steps: Steps,
    position: int,
    is_live: bool,
    is_open: bool,
    is_narrow: bool = False,
    draw_button: Callable[[int], None] | None = None,
) -> DeltaGenerator:
    """Draws the card of the step at `position` into `place`; returns the place of its live text for `draw_live_text`.

    `is_narrow` puts what belongs to a role below its badge instead of beside it. `draw_button` draws what there is to
    press at the card's foot, by the step's number.
    """
    step = steps.steps[position]
    earlier_draft = next(reversed(steps.drafts_before(position)), "")
    icon = "spinner" if is_live else _icon(step)
    with place.expander(card_label(step, steps.changes_of(step)), expanded=is_open, type="step", icon=icon):
        # A card is drawn again as its step goes on. So each place in it holds one type of block, and lists only grow at
        # their end: where two drawings are sent at once, a place that changes its type loses what is in it, and
        # Streamlit's frontend fails with a white page. `tests/browser_tree.py` tells how.
        about = st.empty()
        if told := what_happened(steps, position):
            about.markdown(f":material/info: {told}")
        with st.container():
            for outcome in step.outcomes:
                _draw_outcome(outcome, step, earlier_draft, is_narrow)
        live_text = st.empty()
        if step.calls:
            draw_live_text(live_text, step, is_live)
        with st.container():
            for call in step.calls:
                _draw_call_details(call)
        if draw_button is not None:
            draw_button(step.number)
    return live_text


def draw_live_text(place: DeltaGenerator, step: Step, is_live: bool) -> None:
    """Draws the reply while it streams in. Once it is whole, what was read from it stands above instead."""
    call = step.calls[-1]
    if call.response and step.outcomes:
        return
    if call.text:
        place.code(call.text, language=None, wrap_lines=True)
    elif call.reasoning:
        place.caption(f"{say('cards.reasoning')} {plain(shortened(call.reasoning[-300:], 300))}")
    elif is_live and not call.response:
        place.markdown(f":shimmer[{say('cards.waiting')}]")


def draw_checklist(place: DeltaGenerator, steps: list[Step], is_over: bool) -> None:
    """Draws the plan of a run that has one: what is done ticked, and what is being done marked unless it `is_over`."""
    outcomes = [outcome for step in steps for outcome in step.outcomes]
    plan = next((outcome for outcome in outcomes if isinstance(outcome, Plan)), None)
    if plan is None:
        return
    done = sum(isinstance(outcome, StepResult) for outcome in outcomes)
    doing = _BLANK_BOX if is_over else ":orange[:material/arrow_forward:]"
    marks = [":green[:material/check_box:]"] * done + [doing] + [_BLANK_BOX] * len(plan.steps)
    lines = [f"{mark} {plain(text)}" for mark, text in zip(marks, plan.steps, strict=False)]
    with place.container(border=True):
        st.markdown(f"{badge('plan')}\n\n" + "  \n".join(lines))


def _icon(step: Step) -> str:
    """The icon of what came last in the step; that of an error where the model was told of one."""
    match step.outcomes[-1] if step.outcomes else None:
        case Observation(is_error=True):
            return LOOKS["error"].icon
        case Observation():
            return LOOKS["action"].icon
        case FinalAnswer():
            return LOOKS["answer"].icon
        case _:
            return LOOKS[ROLE_OF_STEP[step.kind]].icon


def _draw_outcome(outcome: Event, step: Step, earlier_draft: str, is_narrow: bool) -> None:
    match outcome:
        case Thought():
            with _row("thought", is_narrow):
                st.markdown(as_markdown(outcome.text))
        case Action():
            with _row("action", is_narrow):
                st.code(f"{outcome.tool}[{outcome.input}]", language=None, wrap_lines=True)
        case Observation():
            with _row("error" if outcome.is_error else "observation", is_narrow):
                st.code(outcome.text, language=None, wrap_lines=True)
        case FormatSlip():
            with _row("slip", is_narrow):
                _draw_slip(outcome, step)
        case Plan():
            with _row("plan", is_narrow):
                st.markdown("\n".join(f"{number}. {plain(text)}" for number, text in enumerate(outcome.steps, start=1)))
        case FinalAnswer():
            with _row("answer", is_narrow):
                st.markdown(as_markdown(outcome.text))
        case StepResult():
            with _row("step", is_narrow, say("roles.result")):
                st.markdown(as_markdown(outcome.text))
        case Draft():
            with _row("draft", is_narrow):
                _draw_draft(outcome, earlier_draft)
        case Feedback():
            with _row("feedback", is_narrow):
                st.markdown(as_markdown(outcome.text))
                st.badge(
                    verdict_text(outcome), icon=_verdict_icon(outcome), color="green" if outcome.approved else "orange"
                )
        case _:
            pass  # requests, replies and the run's own events are no outcomes of a step


def _row(role: Role, is_narrow: bool, label: str = "") -> DeltaGenerator:
    """The role's badge, and beside it (or below) the place for what belongs to it."""
    if is_narrow:
        st.markdown(badge(role, label))
        return st.container()
    left, right = st.columns([1, 5], gap="small")
    left.markdown(badge(role, label))
    return right


def _verdict_icon(feedback: Feedback) -> str:
    return ":material/check_circle:" if feedback.approved else ":material/edit:"


def _draw_draft(draft: Draft, earlier_draft: str) -> None:
    if "\n    " in draft.text:  # indented lines: code, which has to keep them
        st.code(draft.text, language="python", wrap_lines=True)
    else:
        st.markdown(as_markdown(draft.text))
    if earlier_draft:
        with st.expander(say("cards.what_changed"), type="compact", icon=":material/difference:", expanded=True):
            st.html(differences_as_html(differences(earlier_draft, draft.text)))


def _draw_slip(slip: FormatSlip, step: Step) -> None:
    """The lesson: which rule applied, and the raw reply with the part that was thrown away struck through."""
    st.markdown(plain(slip.message))
    text = next((call.text for call in step.calls if slip.cut and slip.cut in call.text), "")
    if text:
        kept, _, rest = text.rpartition(slip.cut)
        st.html(
            f'<pre style="white-space: pre-wrap; font-size: 0.9rem"><mark>{html.escape(kept)}</mark>'
            f'<del style="opacity: 0.7">{html.escape(slip.cut)}</del>{html.escape(rest)}</pre>'
        )


def _draw_call_details(call: Call) -> None:
    """What the call cost, and on demand the exact prompt, the raw reply and the reasoning."""
    with st.container():
        if call.response:
            _draw_cost(call.response)
    _draw_prompt(call.request)
    if call.response:
        with st.expander(say("cards.raw_reply"), type="compact", icon=":material/notes:"):
            st.code(call.text or " ", language=None, wrap_lines=True)
        if call.reasoning:
            with st.expander(say("cards.reasoning"), type="compact", icon=":material/psychology_alt:"):
                st.code(call.reasoning, language=None, wrap_lines=True)


def _draw_cost(response: ModelResponse) -> None:
    about = "≈ " if response.usage.estimated else ""
    first = response.first_token_seconds
    values = {
        "in": f"{about}{response.usage.input_tokens}",
        "out": f"{about}{response.usage.output_tokens}",
        "s": f"{response.seconds:.1f}",
        "first": "–" if first is None else f"{first:.1f}",
    }
    cached = say("cards.cached", {"n": str(response.usage.cached_tokens)}) if response.usage.cached_tokens else ""
    st.caption(say("cards.call", values) + cached)
    for adjustment in response.adjustments:
        st.caption(f":material/build: {plain(wording.translated(adjustment, 'adjustment', language()))}")


def _draw_prompt(request: ModelRequest) -> None:
    with st.expander(say("cards.prompt"), type="compact", icon=":material/mail:"):
        for message in request.messages:
            st.caption(say(f"cards.from_{message.role}"))
            st.code(message.content, language=None, wrap_lines=True)
        parameters = f"temperature {request.temperature:g} · max_tokens {request.max_tokens}"
        stops = " ".join(repr(text) for text in request.stop)
        st.caption(plain(parameters + (f" · stop {stops}" if stops else "")))
