"""What if …? A part of a finished step is changed, and the run goes on from there, next to the original.

The fork is kept in the session under "<page>.fork"; "<page>.what_if" is the step that is being changed.
"""

from dataclasses import dataclass
from functools import partial

import streamlit as st

from agents import wording
from agents.base import Agent
from agents.errors import ForkError, ModelError
from agents.events import Language, Part, RunStarted
from agents.forking import changeable
from components.card_labels import change_badge
from components.comparison_figures import figures_of
from components.comparison_results import draw_opening
from components.comparison_run import ComparisonRun, Job
from components.connection import chosen_model
from components.dialog import open_dialog
from components.differences import differences, differences_as_html
from components.lane import ForkedLane
from components.lanes import LanesView
from components.live_run import LiveRun
from components.look import LOOKS, Role
from components.outcome import outcome_sentence
from components.outcome_table import draw_outcome_table, outcome_rows
from components.page_settings import toolbox
from components.poison import POISONS
from components.run_view import follow
from components.safe_text import plain
from components.texts import language, say

HEIGHT = 220  # pixels of the two texts


@dataclass(frozen=True)
class Opened:
    """The step that a person is changing: of which run, and in which lane it was seen. `expected` is as in `Job`."""

    live: LiveRun
    step: int
    expected: str | None


@dataclass(frozen=True)
class OriginalLane:
    """The run that a fork goes on from. It is over, so no agent is made of it."""

    run_agent: Agent
    name: str = "original"
    label: str = "what_if.original"

    @property
    def agent_name(self) -> str:
        """The agent's name."""
        return self.run_agent.name

    @property
    def variant(self) -> str:
        """What its prompts are, for a person."""
        return say("what_if.as_before")

    def agent(self, language: Language) -> Agent:
        """The agent of the run."""
        return self.run_agent


def lane_button(page: str, job: Job, live: LiveRun, step: int) -> None:
    """Draws "What if …?" on the card of a finished step in a lane of this page."""
    draw_button(page, live, f"{page}.{job.lane}", job.expected, step)


def draw_button(page: str, live: LiveRun, key: str, expected: str | None, step: int) -> None:
    """Draws "What if …?" on the card of a finished step, where something can be changed in it."""
    if changeable(live.run, step):
        st.button(
            say("what_if.button"),
            key=f"{key}.what_if.{step}",
            icon=":material/call_split:",
            type="tertiary",
            help=say("what_if.button_help"),
            on_click=_open,
            args=(page, Opened(live, step, expected)),
        )


def draw_dialog(page: str) -> None:
    """Draws the dialog in which a step is changed, if one is open."""
    opened: Opened | None = st.session_state.get(f"{page}.what_if")
    if opened is None:
        return
    parts = changeable(opened.live.run, opened.step)
    with open_dialog(say("what_if.title", {"step": str(opened.step)})):
        names = {part: f"{LOOKS[_ROLES[part]].icon} {say(f'what_if.part_{part}')}" for part in parts}
        key = f"{page}.what_if.part.{opened.step}"
        st.session_state.setdefault(key, list(parts)[-1])
        if st.session_state[key] not in parts:  # the same step of another run
            st.session_state[key] = list(parts)[-1]
        st.segmented_control(say("what_if.part"), list(names), format_func=names.__getitem__, required=True, key=key)
        part: Part = st.session_state[key]
        st.markdown(say(f"what_if.about_{part}"))
        text = _draw_texts(page, opened, part, parts[part])
        st.text_input(say("what_if.by"), key="what_if.by", persist_state="session", max_chars=60, width=320)
        if problem := st.session_state.get(f"{page}.what_if_problem"):
            st.error(problem, icon=":material/error:")
        with st.container(horizontal=True):
            st.button(
                say("what_if.go_on"),
                key=f"{page}.what_if.go_on",
                type="primary",
                icon=":material/call_split:",
                disabled=text == parts[part],
                on_click=_start,
                args=(page, opened, part),
            )
            st.button(say("what_if.cancel"), key=f"{page}.what_if.cancel", on_click=_open, args=(page, None))


def draw_fork(page: str) -> bool:
    """Draws the original beside its fork, follows the fork while it goes on, and draws what came of it.

    Returns whether there is a fork: it takes the place of what the page shows else.
    """
    state = st.session_state
    places = st.empty(), st.empty()  # in turn: what the last fork drew would stay inside the new one
    fork: ComparisonRun | None = state.get(f"{page}.fork")
    if fork is None:
        return False
    with places[state.get(f"{page}.fork_turn", 0)].container():
        _draw_change(page, fork)
        view = LanesView(fork, f"{page}.fork", partial(lane_button, page))
        if fork.is_working:
            follow(view)
            st.rerun()
        _draw_outcome(page, fork)
    return True


def _draw_change(page: str, fork: ComparisonRun) -> None:
    lane = fork.lanes["fork"]
    started = lane.agent(language()).start("")
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"#### :material/call_split: {_changed(started)}")
            st.button(
                say("what_if.back"), key=f"{page}.fork.back", icon=":material/undo:", on_click=close_fork, args=(page,)
            )
        change = started.changes[-1]
        st.html(differences_as_html(differences(change.before, change.after)))
        st.caption(say("what_if.taken_over", {"step": str(change.step)}))


def _draw_outcome(page: str, fork: ComparisonRun) -> None:
    figures = {job.lane: [row] for job, row in figures_of(fork).items()}
    titles = {name: say(lane.label) for name, lane in fork.lanes.items()}
    if len(figures) == len(titles):
        sides = titles["original"], figures["original"], titles["fork"], figures["fork"]
        st.markdown(f"#### {outcome_sentence(*sides)}")
        draw_outcome_table(outcome_rows(list(titles.values()), [figures["original"], figures["fork"]]))
    draw_opening(fork, f"{page}.fork")


def fork_is_working(page: str) -> bool:
    """Whether a fork goes on at this page."""
    fork: ComparisonRun | None = st.session_state.get(f"{page}.fork")
    return fork is not None and fork.is_working


def stop_all(page: str) -> None:
    """Stops the run of this page, and its fork."""
    for kind in ("run", "fork"):
        if (run := st.session_state.get(f"{page}.{kind}")) is not None:
            run.stop()


def close_fork(page: str) -> None:
    """Leaves the fork for the run that it came from."""
    fork: ComparisonRun | None = st.session_state.pop(f"{page}.fork", None)
    if fork is not None:
        fork.stop()


_ROLES: dict[Part, Role] = {
    "thought": "thought",
    "observation": "observation",
    "plan": "plan",
    "result": "step",
    "draft": "draft",
    "feedback": "feedback",
}


def _changed(started: RunStarted) -> str:
    change = started.changes[-1]
    return say("what_if.changed_in_step", {"step": str(change.step), "change": change_badge(change)})


def _draw_texts(page: str, opened: Opened, part: Part, before: str) -> str:
    """The text as it was, and the box for the new one; returns what is in the box."""
    key = f"{page}.what_if.text.{part}"
    owner = (id(opened.live), opened.step, part)
    if st.session_state.get(f"{key}.owner") != owner:
        st.session_state[f"{key}.owner"], st.session_state[key] = owner, before
    if part == "observation":
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(say("what_if.poison"), width="content", help=say("what_if.poison_help"))
            for name, poison in POISONS.items():
                st.button(
                    say(f"what_if.{name}"),
                    key=f"{page}.what_if.{name}",
                    icon=":material/science:",
                    on_click=st.session_state.__setitem__,
                    args=(key, poison(before)),
                )
    left, right = st.columns(2, gap="medium")
    with left:
        st.caption(say("what_if.before"))
        st.code(before, language=None, wrap_lines=True, height=HEIGHT)
    with right:
        st.text_area(say("what_if.after"), key=key, height=HEIGHT, max_chars=20_000)
    text: str = st.session_state[key]
    return text


def _open(page: str, opened: Opened | None) -> None:
    st.session_state[f"{page}.what_if"] = opened
    st.session_state.pop(f"{page}.what_if_problem", None)


def _start(page: str, opened: Opened, part: Part) -> None:
    """Begins the fork, beside the run as it was."""
    state = st.session_state
    started = opened.live.run.started
    if started is None:
        return
    wanted: Language = "zh" if started.settings["language"] == "zh" else "en"
    text, by = state[f"{page}.what_if.text.{part}"], state["what_if.by"].strip()
    original = OriginalLane(opened.live.agent)
    try:
        forked = ForkedLane(
            "fork",
            "what_if.fork",
            started.agent,
            original.variant,
            opened.live.run,
            opened.step,
            part,
            text,
            by,
            chosen_model(),
            toolbox(wanted),
        )
        forked.agent(wanted)
    except ModelError as error:
        state[f"{page}.what_if_problem"] = plain(" ".join(wording.describe_error(error, language())))
        return
    except ForkError as error:
        state[f"{page}.what_if_problem"] = say(f"what_if.error_{error.reason}")
        return
    jobs = [Job(lane, started.question, wanted, expected=opened.expected) for lane in ("original", "fork")]
    close_fork(page)
    state[f"{page}.fork"] = ComparisonRun([original, forked], jobs, is_race=True, done={jobs[0]: opened.live})
    state[f"{page}.fork_turn"] = 1 - state.get(f"{page}.fork_turn", 0)
    state[f"{page}.fork"].start()
    _open(page, None)
