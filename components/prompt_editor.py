"""The prompt editor in the sidebar: one template at a time, checked as it is written."""

from collections.abc import Mapping

import streamlit as st

from agents.prompts import ROLES, fill, placeholders_in
from components.dialog import open_dialog
from components.differences import differences, differences_as_html
from components.prompt_checks import WARNING, as_code, draw_checks, has_faults
from components.prompt_file import draw_file
from components.session_templates import (
    OWN,
    SessionTemplate,
    edited_roles,
    editor_key,
    session_templates,
    templates,
    variant_label,
    variant_name,
)
from components.texts import language, say

__all__ = ["draw_prompt_editor", "edited_roles", "templates", "variant_label"]

BOX_HEIGHT = 280
LARGE_BOX_HEIGHT = 340  # pixels: "Done" below it is still seen on a projector of 720


def draw_prompt_editor(agent: str, values: Mapping[str, str], version: str = "") -> None:
    """Draws the editor for the agent's prompts. `values` fill the placeholders of the preview.

    `version` is the version of the prompt lab that is edited, "" for the prompts of the agent's own page.
    """
    key = f"{editor_key(agent, version)}.editor"
    with st.expander(_title(agent, version), expanded=True, icon=":material/edit_note:", type="compact", key=key):
        template = _choose_template(agent, version)
        _draw_variants(template)
        # Above the box: warnings come and go below it, and would move a button away from under the pointer.
        with st.grid(2, min_column_width=100, gap="xsmall"):
            with st.popover(say("prompt_editor.preview"), icon=":material/visibility:", width="stretch"):
                _draw_preview(template, values)
            with st.popover(say("prompt_editor.difference"), icon=":material/difference:", width="stretch"):
                _draw_difference(template)
            st.button(
                say("prompt_editor.enlarge"),
                icon=":material/open_in_full:",
                width="stretch",
                key=f"{template.key}.enlarge",
                on_click=_enlarge,
                args=(template.key,),
            )
            with st.popover(say("prompt_editor.file"), icon=":material/save:", width="stretch"):
                draw_file(agent, version)
        is_large = st.session_state.get("prompt.enlarged") == template.key
        place = st.empty()  # the box's place stays, since what is not drawn any more is shown while a run is drawn
        if not is_large:
            with place.container():
                _draw_box(template, BOX_HEIGHT)
    if is_large:
        _draw_large(template, values)


def _title(agent: str, version: str) -> str:
    edited = edited_roles(agent, version)
    label = say("prompt_editor.edited", {"number": str(edited)}) if edited else variant_label(agent, version)
    is_default = not edited and label == variant_name("default")
    title = f"**{say('prompt_editor.title')}**" + ("" if is_default else f" · {label}")
    return f"{title} :orange[{WARNING}]" if any(map(has_faults, session_templates(agent, version=version))) else title


def _choose_template(agent: str, version: str) -> SessionTemplate:
    """The template that the person looks at: that of the role they chose."""
    roles = list(ROLES[agent])
    role = roles[0]
    if len(roles) > 1:
        labels = {template.role: _label(template) for template in session_templates(agent, version=version)}
        role = st.pills(
            say("prompt_editor.role"),
            roles,
            default=role,
            format_func=labels.__getitem__,
            required=True,
            key=f"{editor_key(agent, version)}.role",
            persist_state="session",
            label_visibility="collapsed",
        )
    st.caption(say(f"prompt_editor.about_{agent}_{role}"))
    return SessionTemplate(agent, role, language(), version)


def _label(template: SessionTemplate) -> str:
    """The role's name, with an icon where there is something to mend or the prompt is edited."""
    icon = WARNING if has_faults(template) else ":material/edit:" if template.variant == OWN else ""
    return f"{_role_name(template)} {icon}"


def _role_name(template: SessionTemplate) -> str:
    return say(f"prompt_editor.role_{template.agent}_{template.role}")


def _draw_variants(template: SessionTemplate) -> None:
    key = f"{template.key}.variant"
    names = {variant: variant_name(variant) for variant in template.choices}
    st.session_state[key] = template.variant  # the box says what it is; picking another one replaces its text
    with st.container(horizontal=True, wrap=False, gap="xsmall", vertical_alignment="bottom"):
        st.selectbox(
            say("prompt_editor.variant"),
            list(names),
            format_func=names.__getitem__,
            key=key,
            on_change=lambda: template.choose(st.session_state[key]),
            help=say("prompt_editor.variant_help"),
            filter_mode=None,
        )
        st.button(
            say("prompt_editor.reset"),
            key=f"{template.key}.reset",
            icon=":material/restart_alt:",
            help=say("prompt_editor.reset_help"),
            disabled=template.variant == "default",
            on_click=template.choose,
            args=("default",),
        )


def _draw_preview(template: SessionTemplate, values: Mapping[str, str]) -> None:
    st.caption(say("prompt_editor.preview_help"))
    st.code(fill(template.text, values) or " ", language=None, wrap_lines=True)
    role = ROLES[template.agent][template.role]
    later = (placeholders_in(template.text) & {*role.required, *role.optional}) - values.keys()
    if later:
        names = ", ".join(as_code(f"{{{name}}}") for name in sorted(later))
        st.caption(say("prompt_editor.filled_later", {"names": names}))


def _draw_difference(template: SessionTemplate) -> None:
    if template.variant == "default":
        st.caption(say("prompt_editor.no_difference"))
        return
    st.caption(say("prompt_editor.difference_help"))
    st.html(differences_as_html(differences(template.default, template.text)))


def _draw_large(template: SessionTemplate, values: Mapping[str, str]) -> None:
    """The box in a large dialog, beside its preview. Only "Done" closes it: Escape would drop what was typed last."""
    with open_dialog(say("prompt_editor.large_title", {"role": _role_name(template)})):
        left, right = st.columns(2, gap="medium")
        with left:
            _draw_box(template, LARGE_BOX_HEIGHT)
            st.button(
                say("prompt_editor.done"), key=f"{template.key}.done", type="primary", on_click=_enlarge, args=("",)
            )
        with right:
            preview, difference = st.tabs([say("prompt_editor.preview"), say("prompt_editor.difference")])
            with preview:
                _draw_preview(template, values)
            with difference:
                _draw_difference(template)


def _enlarge(key: str) -> None:
    """Opens the dialog with this template, or closes it; kept, so that a rerun of the page does not close it."""
    st.session_state["prompt.enlarged"] = key


def _draw_box(template: SessionTemplate, height: int) -> None:
    template.prepare_box()
    st.text_area(
        say("prompt_editor.box"),
        key=template.key,
        persist_state="session",
        height=height,
        label_visibility="collapsed",
    )
    draw_checks(template)
