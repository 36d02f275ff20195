"""The prompt lab: one question, one paradigm, two or three versions of it side by side."""

from functools import partial

import streamlit as st

from agents.events import RunStarted, Scalar
from components.checked_inputs import InputError, asked_question, expected_answer, model_to_ask
from components.comparison_run import ComparisonRun, Job
from components.experiment_inputs import (
    draw_order,
    draw_question,
    draw_start_and_stop,
    draw_temperature,
    prepare_experiment,
)
from components.fork_view import draw_fork
from components.lab_differences import differing_parts, draw_differences
from components.lab_inputs import draw_experiments, draw_paradigm, draw_versions
from components.lab_results import draw_results, tested_setups
from components.lab_versions import lane_of, setup_of, shown_versions
from components.lanes import LanesView
from components.page_settings import prepare, prepare_question, samples_for
from components.paradigms import PARADIGMS
from components.run_view import follow
from components.safe_text import plain
from components.texts import language, say
from components.what_if import close_fork, draw_dialog, fork_is_working, lane_button

PAGE = "prompt_lab"


def draw() -> None:
    """Draws the page, and follows the experiment if one is going on."""
    state = st.session_state
    for name in PARADIGMS:
        prepare(name)
    state.setdefault("prompt_lab.agent", "react")
    comparison: ComparisonRun | None = state.get("prompt_lab.run")
    # Asked once: what is drawn below has to fit the buttons, even if a run ends meanwhile.
    fork_works, run_works = fork_is_working(PAGE), comparison is not None and comparison.is_working
    st.markdown(say("prompt_lab.intro"))
    agent = draw_paradigm()
    offered = samples_for(agent)
    prepare_question(PAGE, offered)
    prepare_experiment(PAGE)
    draw_question(PAGE, offered)
    draw_experiments(agent)
    with st.expander(say("prompt_lab.edit"), icon=":material/edit_note:", key="prompt_lab.editors"):
        draw_versions(agent, state["prompt_lab.question"])
    _draw_controls(fork_works or run_works)
    _draw_tested(agent, is_open=comparison is None)
    # Two places in turn: what the last experiment drew would stay inside the new one until the script has ended.
    notice, places, after = st.empty(), (st.empty(), st.empty()), st.empty()
    if state.get("prompt_lab.problem"):
        notice.error(state["prompt_lab.problem"], icon=":material/error:")
    draw_dialog(PAGE)
    if draw_fork(PAGE, fork_works) or comparison is None:
        return
    with places[state.get("prompt_lab.turn", 0)].container():
        _draw_heading(comparison)
        view = LanesView(comparison, PAGE, None if run_works else partial(lane_button, PAGE))
    if run_works:
        follow(view)
        st.rerun()
    with after.container():
        draw_results(comparison, state["prompt_lab.tested_hypothesis"])


def _draw_tested(agent: str, is_open: bool) -> None:
    """What is being tested: in what the versions differ from the first one, and on opening it word by word."""
    first, *others = shown_versions()
    setups = {name: setup_of(agent, name) for name in (first, *others)}
    parts = dict.fromkeys(part for name in others for part in differing_parts(setups[first], setups[name]))
    label = f"**{say('prompt_lab.tested')}** {', '.join(parts) or say('prompt_lab.nothing')}"
    with st.expander(label, expanded=is_open, icon=":material/balance:"):
        for name, place in zip(others, st.columns(len(others), gap="medium"), strict=True):
            with place:
                titles = {"before": say(f"prompt_lab.version_{first}"), "after": say(f"prompt_lab.version_{name}")}
                st.markdown(say("prompt_lab.differs", titles))
                draw_differences(setups[first], setups[name])


def _draw_heading(comparison: ComparisonRun) -> None:
    """What the lanes below are: paradigm and question, and whether something else is set up by now."""
    job = comparison.jobs[0]
    ran = list(tested_setups(comparison).values())
    agent = ran[0].agent
    st.markdown(f"#### {say(f'paradigms.{agent}')}: {plain(job.question)}")
    state = st.session_state
    is_changed = state["prompt_lab.agent"] != agent
    if not is_changed and job.language == language():
        is_other_question = state["prompt_lab.question"].strip() != job.question
        set_up = [_set_up(setup_of(agent, name)) for name in shown_versions()]
        is_changed = is_other_question or [_set_up(each) for each in ran] != set_up
    if is_changed:
        st.caption(f":orange[:material/info: {say('prompt_lab.changed_since')}]")


def _set_up(started: RunStarted) -> tuple[dict[str, Scalar], dict[str, str]]:
    return started.settings, started.templates


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
            st.caption(say("prompt_lab.limits_elsewhere"))
    draw_start_and_stop(PAGE, say("prompt_lab.run"), is_working, _start)


def _start() -> None:
    """Begins the experiment with what is set at this moment."""
    state = st.session_state
    if "prompt_lab.run" in state and state["prompt_lab.run"].is_working:  # a second click before the first was drawn
        return
    state["prompt_lab.problem"] = None
    try:
        question, expected = asked_question(PAGE), expected_answer(PAGE)
        model = model_to_ask()
    except InputError as error:
        state["prompt_lab.problem"] = str(error)
    else:
        lanes = [lane_of(state["prompt_lab.agent"], name, model) for name in shown_versions()]
        times = range(1, state["prompt_lab.times"] + 1)
        jobs = [Job(lane.name, question, language(), 0, time, expected) for time in times for lane in lanes]
        state["prompt_lab.tested_hypothesis"] = state["prompt_lab.hypothesis"].strip()
        close_fork(PAGE)
        state["prompt_lab.turn"] = 1 - state.get("prompt_lab.turn", 0)
        state["prompt_lab.run"] = ComparisonRun(lanes, jobs, state["prompt_lab.order"] == "race")
        state["prompt_lab.run"].start()
