"""What a run cost and came to: live totals, the answer and why it ended, and what changed since the last run."""

import streamlit as st

from agents.events import RunStarted, Scalar
from agents.run import Run, Totals
from components.card_labels import change_badge
from components.differences import differences, differences_as_html
from components.live_run import LiveRun
from components.look import badge
from components.outcome import signed_percent
from components.safe_text import as_markdown, plain
from components.texts import say


class TotalsRow:
    """The run's figures so far, in one row. Only what has changed is drawn again: most ticks move the clock alone."""

    def __init__(self) -> None:
        with st.container(horizontal=True, gap="medium"):
            self._places = {name: st.empty() for name in ("steps", "calls", "tokens_in", "tokens_out", "time", "first")}
        self._shown: dict[str, str] = {}

    def draw(self, live: LiveRun) -> None:
        """Draws what the run has come to."""
        totals = live.run.totals
        about = "≈ " if totals.estimated else ""
        first = totals.first_token_seconds
        figures = {
            "steps": f"{totals.steps}",
            "calls": f"{totals.model_calls}",
            "tokens_in": f"{about}{totals.input_tokens:,}",
            "tokens_out": f"{about}{totals.output_tokens:,}",
            "time": f"{live.seconds:.1f} s",
            "first": "–" if first is None else f"{first:.1f} s",
        }
        for name, figure in figures.items():
            if self._shown.get(name) != figure:
                self._places[name].metric(say(f"summary.{name}"), figure, width="content")
        self._shown = figures


def draw_failure(live: LiveRun) -> None:
    """Says that a run ended through a bug of this app or of a tool; draws nothing where it did not."""
    if live.failure is not None:
        st.error(say("page.bug", {"name": type(live.failure).__name__}), icon=":material/bug_report:")


def draw_answer(run: Run, is_narrow: bool = False) -> None:
    """The answer and why the run ended; where there is none, what went wrong and what to do next.

    `is_narrow` keeps the answer in the size of other text, for lanes side by side.
    """
    ended = run.ended
    if ended is None:
        return
    if ended.reason == "model_error":
        st.error(
            f"{plain(ended.message)}\n\n**{say('summary.next_step')}** {plain(ended.next_step)}",
            icon=":material/error:",
        )
    with st.container(border=True):
        if run.answer is None:
            st.markdown(badge("answer", say("summary.no_answer")))
        else:
            st.markdown(badge("answer"))
            if _is_one_line(run.answer) and not is_narrow:
                st.subheader(as_markdown(run.answer), anchor=False)
            else:
                st.markdown(as_markdown(run.answer))
        caveat = run.caveat
        if caveat:
            st.markdown(f":orange[:material/info: {say(f'summary.{caveat}')}]")
        if ended.reason != "model_error":
            st.caption(plain(ended.message))


def draw_changes(run: Run, previous: Run) -> None:
    """What changed since the last run on this page: prompts, settings, figures and answer."""
    with st.container(border=True):
        st.markdown(f"**{say('summary.changed_title')}**")
        before, after = previous.started, run.started
        if before is None or after is None:
            return
        _draw_changed_figures(previous.totals, run.totals)
        for change in after.changes:
            st.markdown(change_badge(change))
        st.markdown("\n".join(changed_settings(before, after)))
        if previous.answer == run.answer:
            st.markdown(say("summary.same_answer"))
        else:
            st.caption(say("summary.answer_changed"))
            st.html(differences_as_html(differences(previous.answer or "–", run.answer or "–")))
        for role, template in after.templates.items():
            if template != before.templates.get(role, template):
                st.caption(say("summary.prompt_changed", {"role": say(f"prompt_editor.role_{after.agent}_{role}")}))
                st.html(differences_as_html(differences(before.templates[role], template)))


def changed_settings(before: RunStarted, after: RunStarted) -> list[str]:
    """What was set differently, an item of a Markdown list each: question, model, limits, tools, switches."""
    lines = []
    if before.question != after.question:
        lines.append(say("summary.question_changed"))
    if before.model != after.model:
        lines.append(f"{say('summary.model')}: {plain(before.model)} → {plain(after.model)}")
    for name, value in after.settings.items():
        if before.settings.get(name) != value:
            old, new = (_setting(each) for each in (before.settings.get(name), value))
            lines.append(f"{say(f'summary.setting_{name}')}: {old} → {new}")
    return [f"- {line}" for line in lines]


def _setting(value: Scalar) -> str:
    if isinstance(value, bool):
        return say("summary.on" if value else "summary.off")
    return plain(str(value)) if value not in (None, "") else "–"


def _draw_changed_figures(before: Totals, after: Totals) -> None:
    about = "≈ " if before.estimated or after.estimated else ""
    tokens = (before.input_tokens + before.output_tokens, after.input_tokens + after.output_tokens)
    with st.container(horizontal=True, gap="medium"):
        _figure(say("summary.steps"), f"{after.steps}", _delta(before.steps, after.steps))
        _figure(say("summary.tokens"), f"{about}{tokens[1]:,}", _delta(*tokens))
        _figure(
            say("summary.time"), f"{after.seconds:.1f} s", _delta(round(before.seconds, 1), round(after.seconds, 1))
        )


def _delta(before: float, after: float) -> str | None:
    """The change as a signed number and in percent; None where nothing changed.

    >>> _delta(800, 500)
    '-300 (-38 %)'
    """
    if before == after:
        return None
    percent = f" ({signed_percent(before, after)})" if before else ""
    return f"{after - before:+,g}" + percent if isinstance(after, int) else f"{after - before:+.1f}" + percent


def _figure(label: str, value: str, delta: str | None = None) -> None:
    st.metric(label, value, delta, delta_color="inverse", width="content")


def _is_one_line(text: str) -> bool:
    return "\n" not in text and len(text) < 160 and not text.lstrip().startswith(("#", "-", "*", "`", "|", ">"))
