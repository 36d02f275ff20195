"""What two versions of the prompt lab differ in: settings, and the prompts word by word."""

import html

import streamlit as st

from agents.events import RunStarted
from components.differences import differences, differences_as_html, near_changes
from components.run_summary import changed_settings
from components.texts import say


def draw_differences(before: RunStarted, after: RunStarted) -> None:
    """Draws in what `after` differs from `before`, each prompt cut to what is near a change."""
    changed = [role for role, text in after.templates.items() if text != before.templates[role]]
    settings = changed_settings(before, after)
    if not changed and not settings:
        st.markdown(f":orange[:material/warning: {say('prompt_lab.no_difference')}]")
    if settings:
        st.markdown("\n".join(settings))
    if changed:
        parts = [_prompt_difference(before, after, role) for role in changed]
        st.html("".join(parts))


def differing_parts(before: RunStarted, after: RunStarted) -> list[str]:
    """The names of what differs, for a heading: settings, then prompts."""
    settings = [
        say(f"summary.setting_{name}") for name, value in after.settings.items() if before.settings[name] != value
    ]
    roles = [role for role, text in after.templates.items() if text != before.templates[role]]
    return settings + [
        say("summary.prompt_changed", {"role": say(f"prompt_editor.role_{after.agent}_{role}")}) for role in roles
    ]


def _prompt_difference(before: RunStarted, after: RunStarted, role: str) -> str:
    title = say("summary.prompt_changed", {"role": say(f"prompt_editor.role_{after.agent}_{role}")})
    found = near_changes(differences(before.templates[role], after.templates[role]), lines=1)
    return f'<p style="margin:.6rem 0 .2rem"><b>{html.escape(title)}</b></p>{differences_as_html(found)}'
