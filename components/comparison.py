"""The comparison page: what to compare, the lanes while they run, and what came of it."""

import streamlit as st

from agents import wording
from agents.base import Model, Settings
from agents.errors import ModelError
from agents.expected import ExpectedError, check_expected
from components import comparison_results
from components.comparison_run import ComparisonRun, Job, Lane
from components.connection import chosen_model
from components.lanes import LanesView, lane_name
from components.page_settings import ask_sample, chosen_toolbox, prepare, prepare_question, samples_for
from components.paradigms import PARADIGMS
from components.prompt_editor import draw_prompt_editor, templates
from components.question_set import Question, QuestionSetError, read_questions
from components.run_view import follow
from components.safe_text import plain
from components.session_templates import variant_label
from components.texts import language, say

LANES = ("direct", *PARADIGMS)
MOST_TIMES = 10


def draw() -> None:
    """Draws the page, and follows the comparison if one is going on."""
    _prepare()
    state = st.session_state
    comparison: ComparisonRun | None = state.get("compare.run")
    is_working = comparison is not None and comparison.is_working
    with st.sidebar:
        edited = st.selectbox(
            say("compare.edit"), LANES, format_func=_names().__getitem__, key="compare.edited", persist_state="session"
        )
        draw_prompt_editor(edited, {"question": state["compare.question"]})
    st.markdown(say("compare.about"))
    _draw_inputs()
    _draw_controls(is_working)
    notice, lanes, after = st.empty(), st.container(), st.empty()
    if state.get("compare.problem"):
        notice.error(state["compare.problem"], icon=":material/error:")
    if comparison is None:
        return
    with lanes:
        view = LanesView(comparison)
    if is_working:
        follow(view)
        st.rerun()
    with after.container():
        comparison_results.draw(comparison)


def _prepare() -> None:
    state = st.session_state
    for name in LANES:
        prepare(name)
    prepare_question("compare", samples_for(*LANES))
    defaults = {
        "mode": "one_question",
        "agents": list(LANES),
        "order": "race",
        "expected": "",
        "times": 1,
        "temperature": 0.0,
        "predict": False,
        "set": "",
    }
    for key, value in defaults.items():
        state.setdefault(f"compare.{key}", value)


def _names() -> dict[str, str]:
    return {name: lane_name(name) for name in LANES}


def _draw_inputs() -> None:
    modes = {mode: say(f"compare.{mode}") for mode in ("one_question", "question_set")}
    mode = st.segmented_control(
        say("compare.mode"),
        list(modes),
        format_func=modes.__getitem__,
        required=True,
        key="compare.mode",
        persist_state="session",
        label_visibility="collapsed",
    )
    if mode == "question_set":
        _draw_set()
        return
    question, expected = st.columns([3, 1], gap="medium")
    with question:
        st.text_area(say("page.question"), key="compare.question", persist_state="session", height=100, max_chars=4000)
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            st.caption(say("page.samples"), width="content")
            for sample in samples_for(*LANES):
                st.button(
                    say(f"page.sample_{sample.name}"),
                    key=f"compare.sample.{sample.name}",
                    type="tertiary",
                    help=plain(sample.text[language()]),
                    on_click=ask_sample,
                    args=("compare", sample.name),
                )
    with expected:
        st.text_input(
            say("compare.expected"), key="compare.expected", persist_state="session", help=say("expected.rules")
        )


def _draw_set() -> None:
    st.text_area(
        say("compare.set"),
        key="compare.set",
        persist_state="session",
        height=160,
        placeholder=say("compare.set_placeholder"),
        help=say("expected.rules"),
    )
    st.file_uploader(
        say("compare.upload"), ["csv", "jsonl", "json", "txt"], key="compare.upload", on_change=_take_upload
    )


def _take_upload() -> None:
    uploaded = st.session_state["compare.upload"]
    if uploaded is not None:
        st.session_state["compare.set"] = uploaded.getvalue().decode("utf-8-sig", errors="replace")


def _draw_controls(is_working: bool) -> None:
    names, orders = _names(), {order: say(f"compare.{order}") for order in ("race", "in_turn")}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.pills(
            say("compare.agents"),
            LANES,
            selection_mode="multi",
            format_func=names.__getitem__,
            key="compare.agents",
            persist_state="session",
        )
        st.segmented_control(
            say("compare.order"),
            list(orders),
            format_func=orders.__getitem__,
            required=True,
            key="compare.order",
            persist_state="session",
            help=say("compare.order_help"),
        )
        st.number_input(
            say("compare.times"),
            1,
            MOST_TIMES,
            key="compare.times",
            persist_state="session",
            width=140,
            help=say("compare.times_help"),
        )
        with st.popover(say("compare.more"), icon=":material/tune:"):
            st.slider(
                say("page.temperature"),
                0.0,
                2.0,
                step=0.1,
                key="compare.temperature",
                persist_state="session",
                help=say("page.temperature_help"),
            )
            st.caption(say("compare.limits_elsewhere"))
    if st.toggle(
        say("compare.predict"), key="compare.predict", persist_state="session", help=say("compare.predict_help")
    ):
        for column, what in zip(st.columns(3), ("right", "cheapest", "fastest"), strict=True):
            column.selectbox(
                say(f"compare.predict_{what}"),
                st.session_state["compare.agents"],
                index=None,
                format_func=names.__getitem__,
                key=f"compare.predict_{what}",
                persist_state="session",
            )
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
    state["compare.problem"] = None
    try:
        questions = _questions()
        if not state["compare.agents"]:
            raise ValueError(say("compare.no_lane"))
        model = chosen_model()
    except QuestionSetError as error:
        state["compare.problem"] = plain(error.describe(language()))
    except ExpectedError as error:
        state["compare.problem"] = plain(error.describe(language()))
    except ModelError as error:
        state["compare.problem"] = plain(" ".join(wording.describe_error(error, language())))
    except ValueError as error:
        state["compare.problem"] = str(error)
    else:
        lanes = [_lane(name, model) for name in LANES if name in state["compare.agents"]]
        jobs = [
            Job(lane.name, question.question, number, time)
            for number, question in enumerate(questions)
            for time in range(1, state["compare.times"] + 1)
            for lane in lanes
        ]
        state["compare.questions"] = questions
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
        model,
        chosen_toolbox(name),
        templates(name),
        settings,
        state[f"{name}.limit"],
        state[f"{name}.closes"],
        variant_label(name),
    )


def _stop() -> None:
    st.session_state["compare.run"].stop()
