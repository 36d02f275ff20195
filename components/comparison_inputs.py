"""What a comparison is to be about: the question or the question set, the lanes, and how they are run."""

import streamlit as st

from components.experiment_inputs import draw_order, draw_question, draw_temperature
from components.page_settings import samples_for
from components.paradigms import PARADIGMS, lane_name
from components.prediction import Guess
from components.question_set import QuestionSetError, unused_columns
from components.safe_text import plain
from components.texts import say

LANES = ("direct", *PARADIGMS)
GUESSES: tuple[Guess, ...] = ("right", "cheapest", "fastest")


def lane_names() -> dict[str, str]:
    """The names of all lanes for a person."""
    return {name: lane_name(name) for name in LANES}


def draw_inputs() -> None:
    """Draws the question and its expected answer, or the question set."""
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
    draw_question("compare", samples_for(*LANES))


def _draw_set() -> None:
    st.text_area(
        say("compare.set"),
        key="compare.set",
        persist_state="session",
        height=160,
        placeholder=say("compare.set_placeholder"),
        help=say("expected.rules"),
    )
    _draw_unused_columns()
    st.file_uploader(
        say("compare.upload"), ["csv", "jsonl", "json", "txt"], key="compare.upload", on_change=_take_upload
    )


def _draw_unused_columns() -> None:
    """Says which columns of the set mean nothing here, so that a misspelt one does not go unnoticed."""
    try:
        unused = unused_columns(st.session_state["compare.set"])
    except QuestionSetError:
        return  # the whole set is refused when it is run, with a sentence of its own
    if unused:
        st.warning(say("compare.unused_columns", {"names": plain(", ".join(unused))}), icon=":material/warning:")


def _take_upload() -> None:
    uploaded = st.session_state["compare.upload"]
    if uploaded is None:
        return
    st.session_state["compare.problem"] = None
    try:
        st.session_state["compare.set"] = uploaded.getvalue().decode("utf-8-sig")
    except UnicodeDecodeError:
        st.session_state["compare.problem"] = say("compare.not_utf8")


def draw_settings() -> None:
    """Draws the choice of lanes, their order, how often, and the class's prediction."""
    names = lane_names()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.pills(
            say("compare.agents"),
            LANES,
            selection_mode="multi",
            format_func=names.__getitem__,
            key="compare.agents",
            persist_state="session",
        )
        draw_order("compare")
        with st.popover(say("compare.more"), icon=":material/tune:"):
            draw_temperature("compare")
            st.caption(say("compare.limits_elsewhere"))
    can_predict = st.session_state["compare.mode"] == "one_question" and st.session_state["compare.times"] == 1
    wants = st.toggle(
        say("compare.predict"),
        key="compare.predict",
        persist_state="session",
        disabled=not can_predict,
        help=say("compare.predict_help"),
    )
    if wants and not can_predict:
        st.caption(say("compare.predict_not_now"))
    if wants and can_predict:
        for column, what in zip(st.columns(3), GUESSES, strict=True):
            column.selectbox(
                say(f"compare.predict_{what}"),
                st.session_state["compare.agents"],
                index=None,
                format_func=names.__getitem__,
                key=f"compare.predict_{what}",
                persist_state="session",
            )


def prediction() -> dict[Guess, str]:
    """What the class predicts at this moment: the name of a lane for each guess that was made."""
    state = st.session_state
    if not state["compare.predict"]:
        return {}
    return {guess: name for guess in GUESSES if (name := state.get(f"compare.predict_{guess}"))}
