"""What if …? A part of a finished step is changed in a dialog, and the run goes on from there as a fork.

The fork is kept in the session under "<page>.fork", beside its original in a comparison of two lanes; `fork_view` draws
it. "<page>.what_if" is the step that is being changed.
"""

from dataclasses import dataclass

import streamlit as st

from agents.errors import ForkError
from agents.events import Language, Part
from agents.forking import changeable
from components.comparison_run import ComparisonRun, Job
from components.dialog import open_dialog
from components.lane import AnyLane, ForkedLane, OriginalLane
from components.live_run import LiveRun
from components.look import LOOKS, Role
from components.page_settings import toolbox
from components.poison import POISONS
from components.texts import say

HEIGHT = 220  # pixels of the two texts
ROLES: dict[Part, Role] = {
    "thought": "thought",
    "observation": "observation",
    "plan": "plan",
    "result": "step",
    "draft": "draft",
    "feedback": "feedback",
}


@dataclass(frozen=True)
class Opened:
    """The step that a person is changing. `expected` is what a right answer holds, as in `Job`."""

    live: LiveRun
    step: int
    expected: str | None


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
        names = {part: f"{LOOKS[ROLES[part]].icon} {say(f'what_if.part_{part}')}" for part in parts}
        key = f"{page}.what_if.part"
        st.session_state.setdefault(key, list(parts)[-1])
        st.segmented_control(
            say("what_if.part"),
            list(names),
            format_func=names.__getitem__,
            required=True,
            key=key,
            persist_state="session",
        )
        part: Part = st.session_state[key]
        st.markdown(say(f"what_if.about_{part}"))
        if opened.live.run.reason == "token_budget":
            st.caption(f":orange[:material/warning: {say('what_if.budget_spent')}]")
        _draw_texts(page, part, parts[part], opened.live.agent.settings.language)
        st.text_input(say("what_if.by"), key=f"{page}.what_if.by", max_chars=60, width=320, on_change="ignore")
        if problem := st.session_state.get(f"{page}.what_if_problem"):
            st.error(say(f"what_if.{problem}"), icon=":material/error:")
        with st.container(horizontal=True):
            st.button(
                say("what_if.go_on"),
                key=f"{page}.what_if.go_on",
                type="primary",
                icon=":material/call_split:",
                on_click=_start,
                args=(page, opened, part, parts[part]),
            )
            st.button(say("what_if.cancel"), key=f"{page}.what_if.cancel", on_click=_open, args=(page, None))


def fork_is_working(page: str) -> bool:
    """Whether a fork goes on at this page."""
    fork: ComparisonRun | None = st.session_state.get(f"{page}.fork")
    return fork is not None and fork.is_working


def stop_all(page: str) -> None:
    """Stops the run of this page, and its fork."""
    for kind in ("run", "fork"):
        if (run := st.session_state.get(f"{page}.{kind}")) is not None:
            run.stop()


def leave_fork(page: str) -> None:
    """Leaves the fork for the one that it came from, or else for the page's run."""
    earlier = st.session_state.get(f"{page}.earlier_forks", [])
    before = earlier.pop() if earlier else None
    close_fork(page)
    if before is not None:
        st.session_state[f"{page}.earlier_forks"] = earlier
        st.session_state[f"{page}.fork"] = before


def close_fork(page: str) -> None:
    """Leaves the fork, and those that it came from, for the page's run."""
    st.session_state.pop(f"{page}.earlier_forks", None)
    fork: ComparisonRun | None = st.session_state.pop(f"{page}.fork", None)
    if fork is not None:
        fork.stop()


def _draw_texts(page: str, part: Part, before: str, language: Language) -> None:
    """The text as it was, and the box for the new one."""
    key = _text_key(page, part)
    st.session_state.setdefault(key, before)
    if part == "observation":
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(say("what_if.poison"), width="content", help=say("what_if.poison_help"))
            for name, poison in POISONS.items():
                st.button(
                    say(f"what_if.{name}"),
                    key=f"{page}.what_if.{name}",
                    icon=":material/science:",
                    on_click=_put,
                    args=(page, key, poison(before, language)),
                )
    left, right = st.columns(2, gap="medium")
    with left:
        st.caption(say("what_if.before"))
        st.code(before, language=None, wrap_lines=True, height=HEIGHT)
    with right:
        # Without a rerun when it is left: the button below would move away from under the click that leaves it.
        st.text_area(
            say("what_if.after"), key=key, persist_state="session", height=HEIGHT, max_chars=20_000, on_change="ignore"
        )


def _put(page: str, key: str, text: str) -> None:
    """Fills the box, and takes away what was said about it."""
    st.session_state[key] = text
    st.session_state.pop(f"{page}.what_if_problem", None)


def _text_key(page: str, part: Part) -> str:
    return f"{page}.what_if.text.{part}"


def _open(page: str, opened: Opened | None) -> None:
    """Opens the dialog for a step, with its texts as they were, or closes it."""
    state = st.session_state
    state[f"{page}.what_if"] = opened
    kept = ("what_if_problem", "what_if.part", "what_if.by", *(f"what_if.text.{part}" for part in ROLES))
    for key in kept:
        state.pop(f"{page}.{key}", None)


def _start(page: str, opened: Opened, part: Part, before: str) -> None:
    """Begins the fork, beside the run as it was."""
    state, started, agent = st.session_state, opened.live.run.started, opened.live.agent
    text = state[_text_key(page, part)]
    if started is None or text == before:
        state[f"{page}.what_if_problem"] = "error_unchanged"
        return
    tools = toolbox(started.language)
    forked = ForkedLane(agent, opened.live.run, opened.step, part, text, state[f"{page}.what_if.by"].strip(), tools)
    try:
        forked.agent(started.language)
    except ForkError as error:
        state[f"{page}.what_if_problem"] = f"error_{error.reason}"
        return
    lanes: list[AnyLane] = [OriginalLane(agent), forked]
    jobs = [Job(lane.name, started.question, started.language, expected=opened.expected) for lane in lanes]
    if (earlier := state.get(f"{page}.fork")) is not None:
        state.setdefault(f"{page}.earlier_forks", []).append(earlier)
    state[f"{page}.fork"] = ComparisonRun(lanes, jobs, is_race=True, done={jobs[0]: opened.live})
    state[f"{page}.fork_turn"] = 1 - state.get(f"{page}.fork_turn", 0)
    state[f"{page}.fork"].start()
    _open(page, None)
