"""The comparison page: what to compare, the lanes while they run, and what came of it."""

from functools import partial

import streamlit as st

from agents.base import Model, Settings
from agents.expected import ExpectedError
from components.checked_inputs import InputError, asked_question, expected_answer, model_to_ask
from components.comparison_figures import draw_figures
from components.comparison_inputs import LANES, draw_inputs, draw_settings, lane_names, prediction
from components.comparison_results import draw_after
from components.comparison_run import ComparisonRun, Job
from components.experiment_inputs import draw_start_and_stop, prepare_experiment
from components.fork_view import draw_fork
from components.lane import Lane
from components.lanes import LanesView
from components.page_settings import chosen_switches, chosen_toolbox, prepare, prepare_question, samples_for
from components.prompt_editor import draw_prompt_editor, templates
from components.question_set import Question, QuestionSetError, read_questions
from components.run_view import follow
from components.safe_text import plain
from components.texts import LANGUAGES, language, say
from components.what_if import close_fork, draw_dialog, fork_is_working, lane_button


def draw() -> None:
    """Draws the page, and follows the comparison if one is going on."""
    _prepare()
    state = st.session_state
    comparison: ComparisonRun | None = state.get("compare.run")
    # Asked once: what is drawn below has to fit the buttons, even if a run ends meanwhile.
    fork_works, run_works = fork_is_working("compare"), comparison is not None and comparison.is_working
    is_working = fork_works or run_works
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
    draw_start_and_stop("compare", say("compare.run"), is_working, _start)
    # Two places in turn: what the last comparison drew would stay inside the new one until the script has ended.
    notice, places, after = st.empty(), (st.empty(), st.empty()), st.empty()
    if state.get("compare.problem"):
        notice.error(state["compare.problem"], icon=":material/error:")
    draw_dialog("compare")
    if draw_fork("compare", fork_works) or comparison is None:
        return
    with places[state.get("compare.turn", 0)].container():
        button = None if run_works else partial(lane_button, "compare")
        view = LanesView(comparison, "compare", button, draw_figures)
    if run_works:
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
    prepare_experiment("compare")
    for key, value in {"mode": "one_question", "agents": list(LANES), "predict": False, "set": ""}.items():
        state.setdefault(f"compare.{key}", value)


def _start() -> None:
    """Begins a comparison with what is set at this moment."""
    state = st.session_state
    if "compare.run" in state and state["compare.run"].is_working:  # a second click before the first was drawn
        return
    state["compare.problem"] = None
    try:
        questions = _questions()
        if not state["compare.agents"]:
            raise InputError(say("compare.no_lane"))
        model = model_to_ask()
    except InputError as error:
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
    close_fork("compare")
    state["compare.turn"] = 1 - state.get("compare.turn", 0)
    state["compare.run"] = ComparisonRun(lanes, jobs, state["compare.order"] == "race")
    state["compare.run"].start()


def _questions() -> list[Question]:
    if st.session_state["compare.mode"] == "one_question":
        return [Question("1", asked_question("compare"), expected_answer("compare"), language())]
    try:
        return read_questions(st.session_state["compare.set"])
    except (QuestionSetError, ExpectedError) as error:
        raise InputError(plain(error.describe(language()))) from error


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
    )


def _resume() -> None:
    state = st.session_state
    if not state["compare.run"].is_working:
        state["compare.run"] = state["compare.run"].resumed()
        state["compare.run"].start()
