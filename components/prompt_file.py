"""The File menu of the prompt editor: a set of templates is saved to a file and loaded from one."""

import streamlit as st

from components.safe_text import plain
from components.session_templates import SessionTemplate, editor_key, templates
from components.template_file import TemplateFileError, TemplateSet, read_template_set, write_template_set
from components.texts import LANGUAGES, language, say


def draw_file(agent: str, version: str = "") -> None:
    """Draws the download and the upload of the agent's templates, or of one of the prompt lab's versions of them."""
    prefix = editor_key(agent, version)
    st.download_button(
        say("prompt_editor.download"),
        write_template_set(TemplateSet(agent, language(), templates(agent, version=version))),
        file_name=f"{agent}-prompts-{language()}.json",
        mime="application/json",
        icon=":material/download:",
        on_click="ignore",
        key=f"{prefix}.download",
        width="stretch",
    )
    count = st.session_state.get(f"{prefix}.uploads", 0)  # a new key empties the field after each file
    key = f"{prefix}.upload.{count}"
    st.file_uploader(say("prompt_editor.upload"), type="json", key=key, on_change=_load, args=(agent, version, key))
    if report := st.session_state.get(f"{prefix}.upload_report"):
        entry, values = report
        message = say(f"prompt_editor.{entry}", {name: plain(value) for name, value in values.items()})
        if entry == "file_loaded":
            st.success(message, icon=":material/check:")
        else:
            st.error(message, icon=":material/error:")


def _load(agent: str, version: str, key: str) -> None:
    prefix = editor_key(agent, version)
    file = st.session_state[key]
    if file is None:
        return
    try:
        loaded = read_template_set(file.getvalue())
        if loaded.agent != agent:
            raise TemplateFileError("other_agent", {"found": say(f"paradigms.{loaded.agent}")})
    except TemplateFileError as error:
        report = (f"file_{error.reason}", dict(error.values))
    else:
        for role, text in loaded.templates.items():
            SessionTemplate(agent, role, loaded.language, version).replace(text)
        values = {"number": str(len(loaded.templates)), "language": LANGUAGES[loaded.language]}
        report = ("file_loaded", values)
    st.session_state[f"{prefix}.upload_report"] = report
    st.session_state[f"{prefix}.uploads"] = st.session_state.get(f"{prefix}.uploads", 0) + 1
