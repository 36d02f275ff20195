"""The session's prompt templates: the shipped ones and what the person made of them, by agent, role and language.

They are kept in `st.session_state`, so they outlive reruns and pages and belong to one browser tab.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import streamlit as st

from agents import wording
from agents.events import Language
from agents.prompts import ROLES, load_template, plain_newlines, variants
from components import texts
from components.texts import language, say

OWN = "own"  # the "variant" of a text that the person wrote


@dataclass(frozen=True)
class SessionTemplate:
    """One template. The session keeps its text, and what the person wrote before they picked a variant.

    `version` is that of the prompt lab that it belongs to, "" for the prompts of the agent's own page.
    """

    agent: str
    role: str
    language: Language
    version: str = ""

    @property
    def key(self) -> str:
        """Where the text is kept; the key of the editor's box."""
        return f"{editor_key(self.agent, self.version)}.{self.role}.{self.language}"

    @property
    def text(self) -> str:
        """The text as it is at this moment, also in a callback that runs right after it was typed."""
        for key in (f"{self.key}.incoming", self.key):
            if key in st.session_state:
                return plain_newlines(st.session_state[key])
        return self.default

    @property
    def default(self) -> str:
        """The shipped text."""
        return self._shipped("default")

    @property
    def variant(self) -> str:
        """The name of the shipped variant that this is, word for word; OWN for anything else."""
        text = self.text
        return next((name for name in variants(self.agent, self.role) if self._shipped(name) == text), OWN)

    @property
    def choices(self) -> list[str]:
        """The variants to choose from, and OWN where the person has written something."""
        has_own = self.variant == OWN or f"{self.key}.own" in st.session_state
        return [*variants(self.agent, self.role), *([OWN] if has_own else [])]

    def replace(self, text: str) -> None:
        """Puts another text in the template's place; what the person wrote stays at hand as OWN."""
        if self.variant == OWN:
            st.session_state[f"{self.key}.own"] = self.text
        # Not under `key` itself, which is the editor's: it may be drawn already in this run, or not be drawn at all.
        st.session_state[f"{self.key}.incoming"] = plain_newlines(text)

    def choose(self, variant: str) -> None:
        """Puts a variant in the template's place, or what the person wrote last."""
        if variant == self.variant:
            return
        own: str = st.session_state.get(f"{self.key}.own", "")
        self.replace(own if variant == OWN else self._shipped(variant))

    def prepare_box(self) -> None:
        """Fills the editor's box, before it is drawn, with what has come from elsewhere."""
        if f"{self.key}.incoming" in st.session_state or self.key not in st.session_state:
            st.session_state[self.key] = self.text
            st.session_state.pop(f"{self.key}.incoming", None)

    def _shipped(self, variant: str) -> str:
        return load_template(self.agent, self.role, variant, self.language)


def editor_key(agent: str, version: str = "") -> str:
    """What the keys of the agent's prompts begin with, in the session."""
    return f"prompt.{agent}.{version}" if version else f"prompt.{agent}"


def session_templates(agent: str, wanted: Language | None = None, version: str = "") -> Iterator[SessionTemplate]:
    """The agent's templates in a language; by default the session's."""
    return (SessionTemplate(agent, role, wanted or language(), version) for role in ROLES[agent])


def templates(agent: str, wanted: Language | None = None, version: str = "") -> dict[str, str]:
    """The agent's templates by role, as they are at this moment in a language; by default the session's."""
    return {template.role: template.text for template in session_templates(agent, wanted, version)}


def edited_roles(agent: str, version: str = "") -> int:
    """How many of the agent's prompts the person has written."""
    return sum(template.variant == OWN for template in session_templates(agent, version=version))


def variant_label(agent: str, version: str = "") -> str:
    """What the agent's prompts are, for a heading: "Default", the names of other variants, "edited"."""
    return templates_label(agent, templates(agent, version=version), language())


def templates_label(agent: str, texts_by_role: Mapping[str, str], wanted: Language) -> str:
    """What these prompts of an agent are, for a heading, in the words of `variant_label`."""
    found = dict.fromkeys(
        next((name for name in variants(agent, role) if load_template(agent, role, name, wanted) == text), OWN)
        for role, text in texts_by_role.items()
    )
    others = [name for name in found if name != "default"]
    return ", ".join(variant_name(name) for name in others or ["default"])


def variant_name(variant: str) -> str:
    """The variant's name for people. One that a contributor has just added is called by its file's name."""
    entry = f"variant_{variant}"
    if entry in wording.load(texts.__name__, "prompt_editor"):
        return say(f"prompt_editor.{entry}")
    return variant.replace("_", " ").capitalize()
