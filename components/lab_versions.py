"""The versions of the prompt lab: two or three settings of the same agent, each with prompts, tools and switches.

They are kept in the session, prompts as `SessionTemplate`s and the rest under "prompt_lab.<agent>.<version>.<setting>".
"""

from collections.abc import Mapping
from typing import Literal

import streamlit as st

from agents.ablations import Ablation, Version, ablations_of
from agents.base import Model, Settings
from agents.by_name import SWITCHES, Switches
from agents.events import Language, RunStarted
from agents.models.demo import DemoModel
from agents.run import Run
from components.lane import Lane
from components.page_settings import toolbox
from components.paradigms import PARADIGMS, WATCHED
from components.session_templates import session_templates, templates, variant_label
from components.texts import LANGUAGES, language, say

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
        variant_label(agent, name),
    )


def setup_of(agent: str, name: Name) -> RunStarted:
    """What a run of this version would begin with. No model is asked, so any will do."""
    return lane_of(agent, name, DemoModel()).agent(language()).start("")


def apply_ablation(ablation: Ablation) -> None:
    """Makes the versions those of the experiment, in both languages."""
    st.session_state["prompt_lab.count"] = len(ablation.versions)
    for name, version in zip(NAMES, ablation.versions, strict=False):
        for wanted in LANGUAGES:
            for template in session_templates(ablation.agent, wanted, name):
                template.choose(version.variants.get(template.role, "default"))
        _set(ablation.agent, name, version.switches, list(toolbox().names) if version.has_tools else [])


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


def sources(agent: str) -> dict[str, Run | None]:
    """Where a version's prompts can come from, by name: the prompts of the agent's page (None), and runs with it."""
    found: dict[str, Run | None] = {say("prompt_lab.from_page", {"page": say(f"paradigms.{agent}")}): None}
    for key in (*WATCHED, f"{agent}.previous"):
        for number, run in enumerate(_runs_under(key), start=1):
            if run.started is not None and run.started.agent == agent:
                values = {"page": say(f"paradigms.{key.split('.')[0]}"), "number": str(number)}
                question = " ".join(run.started.question.split())[:60]
                found[say("prompt_lab.from_run", values | {"question": question})] = run
    return found


def start_from(agent: str, name: Name, run: Run | None) -> None:
    """Gives a version everything of a run (prompts, tools, switches), or of the agent's page where there is no run."""
    if run is None:
        for wanted in LANGUAGES:
            _replace(agent, name, wanted, templates(agent, wanted))
        state = st.session_state
        switches = Switches(**{switch: state[f"{agent}.{switch}"] for switch in SWITCHES[agent]})
        _set(agent, name, switches, state[f"{agent}.tools"])
    elif run.started is not None:
        settings = run.started.settings
        _replace(agent, name, "zh" if settings["language"] == "zh" else "en", run.started.templates)
        used = [tool for tool in toolbox().names if tool in str(settings.get("tools", "")).split(", ")]
        _set(agent, name, Switches.of(settings), used)


def _is(agent: str, name: Name, version: Version) -> bool:
    state = st.session_state
    variants = {template.role: template.variant for template in session_templates(agent, version=name)}
    return (
        variants == dict.fromkeys(variants, "default") | dict(version.variants)
        and all(
            state[setting_key(agent, name, switch)] == getattr(version.switches, switch) for switch in SWITCHES[agent]
        )
        and (not PARADIGMS[agent].has_tools or bool(state[setting_key(agent, name, "tools")]) == version.has_tools)
    )


def _set(agent: str, name: Name, switches: Switches, tools: list[str]) -> None:
    st.session_state[setting_key(agent, name, "tools")] = list(tools)
    for switch in SWITCHES[agent]:
        st.session_state[setting_key(agent, name, switch)] = getattr(switches, switch)


def _replace(agent: str, name: Name, wanted: Language, texts: Mapping[str, str]) -> None:
    for template in session_templates(agent, wanted, name):
        text = texts.get(template.role, template.default)
        if text != template.text:
            template.replace(text)


def _runs_under(key: str) -> list[Run]:
    """The runs that the session keeps under this key: one, those of a comparison, or none."""
    kept = st.session_state.get(key)
    if kept is None:
        return []
    if isinstance(kept, Run):
        return [kept]
    return list(kept.runs.values()) if hasattr(kept, "runs") else [kept.run]
