"""The prompt lab: one question, one paradigm, two or three versions of it side by side."""

from functools import partial

import streamlit as st

from agents import wording
from agents.errors import ModelError
from agents.expected import ExpectedError, check_expected
from components.comparison_run import ComparisonRun, Job
from components.connection import chosen_model
from components.experiment_inputs import draw_order, draw_question, draw_temperature, prepare_experiment
from components.lab_differences import draw_differences
from components.lab_inputs import draw_experiments, draw_paradigm, draw_versions
from components.lab_results import draw_results
from components.lab_versions import lane_of, setup_of, shown_versions
from components.lanes import LanesView
from components.page_settings import prepare, prepare_question, samples_for
from components.paradigms import PARADIGMS
from components.run_view import follow
from components.safe_text import plain
from components.texts import language, say
from components.what_if import close_fork, draw_dialog, draw_fork, fork_is_working, lane_button, stop_all

PAGE = "prompt_lab"


def draw() -> None:
    """Draws the page, and follows the experiment if one is going on."""
    state = st.session_state
    for name in PARADIGMS:
        prepare(name)
    state.setdefault("prompt_lab.agent", "react")
    comparison: ComparisonRun | None = state.get("prompt_lab.run")
    is_working = fork_is_working(PAGE) or (comparison is not None and comparison.is_working)
    st.markdown(say("prompt_lab.intro"))
    agent = draw_paradigm()
    offered = samples_for(agent)
    prepare_question(PAGE, offered)
    prepare_experiment(PAGE, offered)
    draw_question(PAGE, offered)
    draw_experiments(agent)
    with st.expander(say("prompt_lab.edit"), icon=":material/edit_note:", key="prompt_lab.editors"):
        draw_versions(agent, state["prompt_lab.question"])
    _draw_tested(agent)
    _draw_controls(is_working)
    # Two places in turn: what the last experiment drew would stay inside the new one until the script has ended.
    notice, places, after = st.empty(), (st.empty(), st.empty()), st.empty()
    if state.get("prompt_lab.problem"):
        notice.error(state["prompt_lab.problem"], icon=":material/error:")
    draw_dialog(PAGE)
    if draw_fork(PAGE) or comparison is None:
        return
    with places[state.get("prompt_lab.turn", 0)].container():
        view = LanesView(comparison, PAGE, partial(lane_button, PAGE))
    if comparison.is_working:
        follow(view)
        st.rerun()
    with after.container():
        draw_results(comparison, state["prompt_lab.tested_hypothesis"])


def _draw_tested(agent: str) -> None:
    """What is being tested: in what the versions differ from the first one."""
    first, *others = shown_versions()
    with st.container(border=True):
        st.markdown(f"**:material/balance: {say('prompt_lab.tested')}**")
        for name, place in zip(others, st.columns(len(others), gap="medium"), strict=True):
            with place:
                titles = {"before": say(f"prompt_lab.version_{first}"), "after": say(f"prompt_lab.version_{name}")}
                st.markdown(say("prompt_lab.differs", titles))
                draw_differences(setup_of(agent, first), setup_of(agent, name))


def _draw_controls(is_working: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(
            say("prompt_lab.hypothesis"),
            key="prompt_lab.hypothesis",
            persist_state="session",
            max_chars=300,
            placeholder=say("prompt_lab.hypothesis_example"),
            width=520,
        )
        draw_order(PAGE)
        with st.popover(say("compare.more"), icon=":material/tune:"):
            draw_temperature(PAGE)
            st.caption(say("compare.limits_elsewhere"))
    with st.container(horizontal=True):
        st.button(
            say("prompt_lab.run"),
            key="prompt_lab.start",
            type="primary",
            icon=":material/play_arrow:",
            disabled=is_working,
            on_click=_start,
        )
        st.button(
            say("compare.stop"),
            key="prompt_lab.stop",
            icon=":material/stop_circle:",
            disabled=not is_working,
            on_click=stop_all,
            args=(PAGE,),
        )


def _start() -> None:
    """Begins the experiment with what is set at this moment."""
    state = st.session_state
    if "prompt_lab.run" in state and state["prompt_lab.run"].is_working:  # a second click before the first was drawn
        return
    state["prompt_lab.problem"] = None
    close_fork(PAGE)
    question, expected = state["prompt_lab.question"].strip(), state["prompt_lab.expected"].strip() or None
    try:
        if not question:
            raise ValueError(say("page.no_question"))
        if expected:
            check_expected(expected)
        model = chosen_model()
    except ExpectedError as error:
        state["prompt_lab.problem"] = plain(error.describe(language()))
    except ModelError as error:
        state["prompt_lab.problem"] = plain(" ".join(wording.describe_error(error, language())))
    except ValueError as error:
        state["prompt_lab.problem"] = str(error)
    else:
        lanes = [lane_of(state["prompt_lab.agent"], name, model) for name in shown_versions()]
        times = range(1, state["prompt_lab.times"] + 1)
        jobs = [Job(lane.name, question, language(), 0, time, expected) for time in times for lane in lanes]
        state["prompt_lab.tested_hypothesis"] = state["prompt_lab.hypothesis"].strip()
        state["prompt_lab.turn"] = 1 - state.get("prompt_lab.turn", 0)
        state["prompt_lab.run"] = ComparisonRun(lanes, jobs, state["prompt_lab.order"] == "race")
        state["prompt_lab.run"].start()
