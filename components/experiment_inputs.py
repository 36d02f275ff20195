"""What pages with several lanes ask for alike: a question with its expected answer, and how the runs are made.

Everything is kept in the session under "<page>.<setting>".
"""

from collections.abc import Callable, Sequence

import streamlit as st

from agents.samples import Sample, samples
from components.page_settings import ask_sample
from components.safe_text import plain
from components.texts import language, say
from components.what_if import stop_all

MOST_TIMES = 10


def prepare_experiment(page: str) -> None:
    """Fills in what the person has not set yet. A sample brings its expected answer, and takes it away when it goes."""
    state = st.session_state
    for key, value in {"expected": "", "order": "race", "times": 1, "temperature": 0.0}.items():
        state.setdefault(f"{page}.{key}", value)
    brought = next((each.expected for each in samples() if state[f"{page}.question"] in each.text.values()), "")
    if brought != state.get(f"{page}.brought", ""):
        if state[f"{page}.expected"] in ("", state.get(f"{page}.brought", "")):
            state[f"{page}.expected"] = brought
        state[f"{page}.brought"] = brought


def draw_question(page: str, offered: Sequence[Sample]) -> None:
    """Draws the question, the samples, and the expected answer."""
    question, expected = st.columns([3, 1], gap="medium")
    with question:
        draw_question_box(page, offered)
    with expected:
        st.text_input(
            say("compare.expected"), key=f"{page}.expected", persist_state="session", help=say("expected.rules")
        )


def draw_question_box(page: str, offered: Sequence[Sample]) -> None:
    """Draws the question and the samples."""
    st.text_area(say("page.question"), key=f"{page}.question", persist_state="session", height=100, max_chars=4000)
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.caption(say("page.samples"), width="content")
        for sample in offered:
            st.button(
                say(f"page.sample_{sample.name}"),
                key=f"{page}.sample.{sample.name}",
                type="tertiary",
                help=plain(sample.text[language()]),
                on_click=ask_sample,
                args=(page, sample.name),
            )


def draw_order(page: str) -> None:
    """Draws the choice of all at once or one after the other, and of how often."""
    orders = {order: say(f"compare.{order}") for order in ("race", "in_turn")}
    st.segmented_control(
        say("compare.order"),
        list(orders),
        format_func=orders.__getitem__,
        required=True,
        key=f"{page}.order",
        persist_state="session",
        help=say("compare.order_help"),
    )
    st.number_input(
        say("compare.times"),
        1,
        MOST_TIMES,
        key=f"{page}.times",
        persist_state="session",
        width=140,
        help=say("compare.times_help"),
    )


def draw_temperature(page: str) -> None:
    """Draws the temperature."""
    st.slider(
        say("page.temperature"),
        0.0,
        2.0,
        step=0.1,
        key=f"{page}.temperature",
        persist_state="session",
        help=say("page.temperature_help"),
    )


def draw_start_and_stop(page: str, label: str, is_working: bool, start: Callable[[], None]) -> None:
    """Draws the two buttons, of which one can be pressed at a time."""
    with st.container(horizontal=True):
        st.button(
            label,
            key=f"{page}.start",
            type="primary",
            icon=":material/play_arrow:",
            disabled=is_working,
            on_click=start,
        )
        st.button(
            say("compare.stop"),
            key=f"{page}.stop",
            icon=":material/stop_circle:",
            disabled=not is_working,
            on_click=stop_all,
            args=(page,),
        )
