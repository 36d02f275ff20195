"""The app's words in English and Chinese: one TOML file for each component, read by key.

`say("run.stop")` is the entry `stop` of `run.toml` in the language of the session.
"""

from collections.abc import Mapping

import streamlit as st

from agents import wording
from agents.events import Language
from agents.prompts import fill

LANGUAGES: dict[Language, str] = {"en": "English", "zh": "中文"}


def language() -> Language:
    """The session's language: that of the browser until the person switches it."""
    chosen: Language = st.session_state.get("language", "en")
    return chosen


def say(key: str, values: Mapping[str, str] | None = None) -> str:
    """The text with this key ("file.entry") in the session's language, its `{placeholders}` filled."""
    prefix, name = key.split(".")
    return fill(wording.load(__name__, prefix)[name][language()], values or {})
