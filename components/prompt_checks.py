"""What is wrong with a prompt template and which placeholders it knows, in plain words, each fault with its remedy."""

import re

import streamlit as st

from agents.prompts import ROLES, TemplateWarning, check_template, placeholders_in
from components.look import Colour
from components.session_templates import SessionTemplate
from components.template_file import LONGEST_TEMPLATE
from components.texts import say

WARNING = ":material/warning:"

# How a placeholder is marked that is (required, used): icon, colour, word.
_CHIPS: dict[tuple[bool, bool], tuple[str, Colour, str]] = {
    (True, True): (":material/check:", "green", "required"),
    (True, False): (":material/close:", "red", "missing"),
    (False, True): (":material/check:", "green", "optional"),
    (False, False): (":material/remove:", "gray", "optional"),
}


def has_faults(template: SessionTemplate) -> bool:
    """Whether there is something to warn of: the model would not see what it needs."""
    return not template.text.strip() or bool(_warnings(template))


def draw_checks(template: SessionTemplate) -> None:
    """Draws the warnings, each with a button that mends it, and the placeholders that the template knows."""
    role = ROLES[template.agent][template.role]
    text = template.text
    warnings = _warnings(template)
    if not text.strip():
        st.warning(say("prompt_editor.empty"), icon=WARNING)
    for warning in warnings:
        _draw_warning(template, warning)
    used = placeholders_in(text)
    with st.container(horizontal=True, gap="xsmall"):
        for name in (*role.required, *role.optional):
            _draw_chip(name, name in role.required, name in used)
    written = {warning.written for warning in warnings}
    for name in sorted(used - {*role.required, *role.optional}):
        if f"{{{name}}}" not in written:
            st.caption(say("prompt_editor.unknown", {"name": as_code(f"{{{name}}}")}))
    if len(text) > LONGEST_TEMPLATE:
        st.warning(say("prompt_editor.long", {"length": f"{len(text):,}"}), icon=WARNING)


def _warnings(template: SessionTemplate) -> list[TemplateWarning]:
    role = ROLES[template.agent][template.role]
    return check_template(template.text, role.required, role.optional)


def _draw_chip(placeholder: str, required: bool, used: bool) -> None:
    icon, colour, kind = _CHIPS[required, used]
    about = say(f"prompt_editor.placeholder_{placeholder}")
    st.badge(f"{{{placeholder}}} {say(f'prompt_editor.{kind}')}", icon=icon, color=colour, help=about)


def _draw_warning(template: SessionTemplate, warning: TemplateWarning) -> None:
    placeholder = f"{{{warning.placeholder}}}"
    words = {
        "placeholder": as_code(placeholder),
        "written": as_code(warning.written),
        "meaning": say(f"prompt_editor.sees_{warning.placeholder}"),
    }
    sentence = "misspelt" if warning.written else "not_seen"
    st.warning(say(f"prompt_editor.{sentence}", words), icon=WARNING)
    st.button(
        say("prompt_editor.correct" if warning.written else "prompt_editor.add", words),
        key=f"{template.key}.mend.{warning.placeholder}",
        icon=":material/build:",
        on_click=_mend,
        args=(template, warning),
    )


def _mend(template: SessionTemplate, warning: TemplateWarning) -> None:
    """Puts the placeholder in the place of what was written for it, or else at the end of the text as it is now."""
    placeholder, text = f"{{{warning.placeholder}}}", template.text
    if warning.written:
        template.replace(text.replace(warning.written, placeholder))
    else:
        template.replace(f"{text.rstrip()}\n\n{placeholder}".lstrip())


def as_code(text: str) -> str:
    """The text as inline code, whatever it holds; "" stays "".

    >>> as_code("{question}"), as_code("{a`b}")
    ('`{question}`', '`` {a`b} ``')
    """
    if not text or "`" not in text:
        return text and f"`{text}`"
    fence = "`" * (max(map(len, re.findall("`+", text))) + 1)
    return f"{fence} {text} {fence}"
