"""What every page starts with: configuration, language, title, navigation, runs going on elsewhere, model panel."""

from typing import Protocol

import streamlit as st

from components.connection import draw_model_panel
from components.paradigms import PARADIGMS, WATCHED
from components.texts import LANGUAGES, language, say

TITLE = "Agent Paradigm Lab"
PAGES = {paradigm.name: (paradigm.page, paradigm.icon) for paradigm in PARADIGMS.values()} | {
    "compare": ("pages/compare.py", ":material/compare_arrows:"),
    "prompt_lab": ("pages/prompt_lab.py", ":material/science:"),
}


class WatchedRun(Protocol):
    """A run, or several, of some page."""

    @property
    def is_working(self) -> bool:
        """Whether it goes on."""

    def keep_alive(self) -> None:
        """Says that somebody still waits for it."""


def begin(page: str) -> None:
    """Draws the frame of the page with this name ("home" or a paradigm's); the page goes on below it."""
    _choose_language()
    title = TITLE if page == "home" else say(f"paradigms.{page}")
    st.set_page_config(page_title=title if page == "home" else f"{title} · {TITLE}", page_icon="🔁", layout="wide")
    with st.sidebar:
        _draw_navigation()
        _draw_runs_elsewhere(page)
        draw_model_panel()
    heading, switch = st.columns([3, 1], vertical_alignment="center")
    with heading:
        tagline = say("frame.tagline" if page == "home" else f"paradigms.{page}_tagline")
        st.header(f"{title}  :gray[:small[{tagline}]]", anchor=False)
    with switch, st.container(horizontal_alignment="right"):
        st.segmented_control(
            say("frame.language"),
            list(LANGUAGES),
            format_func=lambda name: LANGUAGES[name],
            default=language(),
            required=True,
            key=f"language.switch.{page}",
            label_visibility="collapsed",
            on_change=_switch_language,
            args=(f"language.switch.{page}",),
        )


def _choose_language() -> None:
    """At the start of a session: the language of the link (?lang=zh), or else the browser's."""
    if "language" in st.session_state:
        return
    wanted = st.query_params.get("lang") or st.context.locale or "en"
    st.session_state["language"] = "zh" if wanted.lower().startswith("zh") else "en"


def _switch_language(key: str) -> None:
    st.session_state["language"] = st.session_state[key] or language()


def _draw_navigation() -> None:
    st.page_link("app.py", label=say("frame.home"), icon=":material/home:", width="stretch")
    for name, (page, icon) in PAGES.items():
        st.page_link(page, label=say(f"paradigms.{name}"), icon=icon, width="stretch")


def _draw_runs_elsewhere(page: str) -> None:
    runs = {key: st.session_state.get(key) for key in WATCHED if not key.startswith(f"{page}.")}
    going_on = {key.split(".")[0]: run for key, run in runs.items() if run is not None and run.is_working}
    if going_on:
        _watch_runs(going_on)


@st.fragment(run_every=2)
def _watch_runs(runs: dict[str, WatchedRun]) -> None:
    """Says that a run goes on at another page, and keeps it alive as long as this page is looked at."""
    for name, run in runs.items():
        run.keep_alive()
        with st.container(border=True):
            state = say("frame.running_there" if run.is_working else "frame.finished_there")
            st.page_link(PAGES[name][0], label=f"{say(f'paradigms.{name}')}: {state}")
