"""The versions of the prompt lab: two or three settings of the same agent, each with prompts, tools and switches.

They are kept in the session, prompts as `SessionTemplate`s and the rest under "prompt_lab.<agent>.<version>.<setting>".
"""

from typing import Literal

import streamlit as st

from agents.ablations import Ablation, Version, ablations_of
from agents.base import Model, Settings
from agents.by_name import SWITCHES, Switches
from agents.events import RunStarted
from agents.models.demo import DemoModel
from components.lane import Lane
from components.page_settings import toolbox
from components.session_templates import session_templates, templates
from components.texts import LANGUAGES, language

Name = Literal["a", "b", "c"]
NAMES: tuple[Name, ...] = ("a", "b", "c")


def prepare_versions(agent: str) -> None:
    """Fills in what the person has not set yet: whole paradigms, two of them."""
    state = st.session_state
    state.setdefault("prompt_lab.count", 2)
    for name in NAMES:
        state.setdefault(setting_key(agent, name, "tools"), list(toolbox().names))
        for switch in SWITCHES[agent]:
            state.setdefault(setting_key(agent, name, switch), True)


def setting_key(agent: str, name: Name, setting: str) -> str:
    """Where a version's setting is kept; the key of its widget."""
    return f"prompt_lab.{agent}.{name}.{setting}"


def shown_versions() -> tuple[Name, ...]:
    """The names of the versions that are compared."""
    return NAMES[: st.session_state["prompt_lab.count"]]


def lane_of(agent: str, name: Name, model: Model) -> Lane:
    """The version as it is at this moment, as a lane."""
    state = st.session_state
    left_off = set(toolbox().names) - set(state[setting_key(agent, name, "tools")])
    return Lane(
        name,
        f"prompt_lab.version_{name}",
        agent,
        model,
        {wanted: toolbox(wanted).without(*left_off) for wanted in LANGUAGES},
        {wanted: templates(agent, wanted, name) for wanted in LANGUAGES},
        Settings(language=language(), temperature=state["prompt_lab.temperature"]),
        state[f"{agent}.limit"],
        Switches(**{switch: state[setting_key(agent, name, switch)] for switch in SWITCHES[agent]}),
    )


def setup_of(agent: str, name: Name) -> RunStarted:
    """What a run of this version would begin with. No model is asked, so any will do."""
    return lane_of(agent, name, DemoModel()).agent(language()).start("")


def apply_ablation(ablation: Ablation) -> None:
    """Makes the versions those of the experiment, in both languages."""
    state = st.session_state
    state["prompt_lab.count"] = len(ablation.versions)
    if state.get("prompt_lab.hypothesis") == state.get("prompt_lab.tested_hypothesis"):
        state["prompt_lab.hypothesis"] = ""  # it was about the experiment that has been run
    for name, version in zip(NAMES, ablation.versions, strict=False):
        for wanted in LANGUAGES:
            for template in session_templates(ablation.agent, wanted, name):
                template.choose(version.variants.get(template.role, "default"))
        set_version(ablation.agent, name, version.switches, list(toolbox().names) if version.has_tools else [])


def applied_ablation(agent: str) -> Ablation | None:
    """The experiment that the versions are those of, word for word; None once the person has changed something."""
    shown = shown_versions()
    fitting = (ablation for ablation in ablations_of(agent) if len(ablation.versions) == len(shown))
    return next(
        (
            ablation
            for ablation in fitting
            if all(_is(agent, name, version) for name, version in zip(shown, ablation.versions, strict=True))
        ),
        None,
    )


def _is(agent: str, name: Name, version: Version) -> bool:
    state = st.session_state
    variants = {template.role: template.variant for template in session_templates(agent, version=name)}
    return (
        variants == dict.fromkeys(variants, "default") | dict(version.variants)
        and all(
            state[setting_key(agent, name, switch)] == getattr(version.switches, switch) for switch in SWITCHES[agent]
        )
        and set(state[setting_key(agent, name, "tools")]) == set(toolbox().names if version.has_tools else ())
    )


def set_version(agent: str, name: Name, switches: Switches, tools: list[str]) -> None:
    """Gives the version these switches and tools."""
    st.session_state[setting_key(agent, name, "tools")] = list(tools)
    for switch in SWITCHES[agent]:
        st.session_state[setting_key(agent, name, switch)] = getattr(switches, switch)
