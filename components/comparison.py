"""The comparison page: what to compare, the lanes while they run, and what came of it."""

from functools import partial

import streamlit as st

from agents import wording
from agents.base import Model, Settings
from agents.errors import ModelError
from agents.expected import ExpectedError, check_expected
from components.comparison_figures import draw_figures
from components.comparison_inputs import LANES, draw_inputs, draw_settings, lane_names, prediction
from components.comparison_results import draw_after
from components.comparison_run import ComparisonRun, Job
from components.connection import chosen_model
from components.experiment_inputs import prepare_experiment
from components.lane import Lane
from components.lanes import LanesView
from components.page_settings import chosen_switches, chosen_toolbox, prepare, prepare_question, samples_for
from components.prompt_editor import draw_prompt_editor, templates
from components.question_set import Question, QuestionSetError, read_questions
from components.run_view import follow
from components.safe_text import plain
from components.session_templates import variant_label
from components.texts import LANGUAGES, language, say
from components.what_if import close_fork, draw_dialog, draw_fork, fork_is_working, lane_button, stop_all


def draw() -> None:
    """Draws the page, and follows the comparison if one is going on."""
    _prepare()
    state = st.session_state
    comparison: ComparisonRun | None = state.get("compare.run")
    is_working = fork_is_working("compare") or (comparison is not None and comparison.is_working)
    with st.sidebar:
        edited = st.selectbox(
            say("compare.edit"),
            LANES,
            format_func=lane_names().__getitem__,
            key="compare.edited",
            persist_state="session",
        )
        draw_prompt_editor(edited, {"question": state["compare.question"]})
    st.markdown(say("compare.about"))
    draw_inputs()
    draw_settings()
    _draw_buttons(is_working)
    # Two places in turn: what the last comparison drew would stay inside the new one until the script has ended.
    notice, places, after = st.empty(), (st.empty(), st.empty()), st.empty()
    if state.get("compare.problem"):
        notice.error(state["compare.problem"], icon=":material/error:")
    draw_dialog("compare")
    if draw_fork("compare") or comparison is None:
        return
    with places[state.get("compare.turn", 0)].container():
        view = LanesView(comparison, "compare", partial(lane_button, "compare"), draw_figures)
    if comparison.is_working:
        follow(view)
        st.rerun()
    with after.container():
        if comparison.left:
            values = {"left": str(comparison.left), "total": str(len(comparison.jobs))}
            st.button(say("compare.resume", values), key="compare.resume", icon=":material/resume:", on_click=_resume)
        draw_after(comparison)


def _prepare() -> None:
    state = st.session_state
    for name in LANES:
        prepare(name)
    prepare_question("compare", samples_for(*LANES))
    prepare_experiment("compare", samples_for(*LANES))
    for key, value in {"mode": "one_question", "agents": list(LANES), "predict": False, "set": ""}.items():
        state.setdefault(f"compare.{key}", value)


def _draw_buttons(is_working: bool) -> None:
    with st.container(horizontal=True):
        st.button(
            say("compare.run"),
            key="compare.start",
            type="primary",
            icon=":material/play_arrow:",
            disabled=is_working,
            on_click=_start,
        )
        st.button(
            say("compare.stop"),
            key="compare.stop",
            icon=":material/stop_circle:",
            disabled=not is_working,
            on_click=_stop,
        )


def _start() -> None:
    """Begins a comparison with what is set at this moment."""
    state = st.session_state
    if "compare.run" in state and state["compare.run"].is_working:  # a second click before the first was drawn
        return
    state["compare.problem"] = None
    close_fork("compare")
    try:
        questions = _questions()
        if not state["compare.agents"]:
            raise ValueError(say("compare.no_lane"))
        model = chosen_model()
    except (QuestionSetError, ExpectedError) as error:
        state["compare.problem"] = plain(error.describe(language()))
    except ModelError as error:
        state["compare.problem"] = plain(" ".join(wording.describe_error(error, language())))
    except ValueError as error:
        state["compare.problem"] = str(error)
    else:
        _begin([_lane(name, model) for name in LANES if name in state["compare.agents"]], questions)


def _begin(lanes: list[Lane], questions: list[Question]) -> None:
    state = st.session_state
    jobs = [
        Job(lane.name, question.question, question.language, number, time, question.expected)
        for number, question in enumerate(questions)
        for time in range(1, state["compare.times"] + 1)
        for lane in lanes
    ]
    state["compare.prediction"] = prediction() if len(jobs) == len(lanes) else {}
    state["compare.turn"] = 1 - state.get("compare.turn", 0)
    state["compare.run"] = ComparisonRun(lanes, jobs, state["compare.order"] == "race")
    state["compare.run"].start()


def _questions() -> list[Question]:
    state = st.session_state
    if state["compare.mode"] == "question_set":
        return read_questions(state["compare.set"])
    question = state["compare.question"].strip()
    if not question:
        raise ValueError(say("page.no_question"))
    expected = state["compare.expected"].strip() or None
    if expected:
        check_expected(expected)
    return [Question("1", question, expected, language())]


def _lane(name: str, model: Model) -> Lane:
    state = st.session_state
    settings = Settings(language=language(), temperature=state["compare.temperature"])
    return Lane(
        name,
        f"paradigms.{name}",
        name,
        model,
        {wanted: chosen_toolbox(name, wanted) for wanted in LANGUAGES},
        {wanted: templates(name, wanted) for wanted in LANGUAGES},
        settings,
        state[f"{name}.limit"],
        chosen_switches(name),
        variant_label(name),
    )


def _resume() -> None:
    state = st.session_state
    if not state["compare.run"].is_working:
        state["compare.run"] = state["compare.run"].resumed()
        state["compare.run"].start()


def _stop() -> None:
    stop_all("compare")
