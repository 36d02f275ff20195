"""What is asked for in the prompt lab: the paradigm, an experiment in one click, and the versions to compare."""

import streamlit as st

from agents.ablations import ablations_of
from agents.by_name import SWITCHES
from agents.samples import samples
from components.connection import is_demo
from components.lab_sources import sources, start_from
from components.lab_versions import (
    Name,
    applied_ablation,
    apply_ablation,
    prepare_versions,
    setting_key,
    shown_versions,
)
from components.page_settings import ask_sample, is_phone, toolbox
from components.paradigms import PARADIGMS
from components.prompt_editor import draw_prompt_editor
from components.texts import say

FITTING_SAMPLES = {"react": "towers", "plan_and_solve": "trip", "reflection": "trip"}


def draw_paradigm() -> str:
    """Draws the choice of the paradigm and returns its name."""
    names = {name: say(f"paradigms.{name}") for name in PARADIGMS}
    st.segmented_control(
        say("prompt_lab.paradigm"),
        list(names),
        format_func=names.__getitem__,
        required=True,
        key="prompt_lab.agent",
        persist_state="session",
        on_change=_take_up_paradigm,
    )
    agent: str = st.session_state["prompt_lab.agent"]
    prepare_versions(agent)
    return agent


def _take_up_paradigm() -> None:
    """Two versions again, and a question that suits the paradigm where the one that stands there is a sample."""
    state = st.session_state
    state["prompt_lab.count"] = 2
    if any(state["prompt_lab.question"] in sample.text.values() for sample in samples()):
        ask_sample("prompt_lab", FITTING_SAMPLES[state["prompt_lab.agent"]])


def draw_experiments(agent: str) -> None:
    """Draws a button for each experiment, and what the one that is set up is about."""
    applied = applied_ablation(agent)
    st.markdown(f"**{say('prompt_lab.experiments')}**", help=say("prompt_lab.experiments_help"))
    with st.container(horizontal=True, gap="small"):
        for ablation in ablations_of(agent):
            st.button(
                say(f"prompt_lab.ablation_{ablation.name}"),
                key=f"prompt_lab.ablation.{ablation.name}",
                icon=":material/check:" if ablation == applied else ":material/science:",
                on_click=apply_ablation,
                args=(ablation,),
            )
    st.markdown(say(f"prompt_lab.about_{applied.name}" if applied else "prompt_lab.own_experiment"))
    if is_demo():
        st.caption(f":material/memory: {say('prompt_lab.demo')}")


def draw_versions(agent: str, question: str) -> None:
    """Draws the editors of the versions, side by side; on a phone in tabs."""
    counts = {count: say("prompt_lab.versions", {"number": str(count)}) for count in (2, 3)}
    st.segmented_control(
        say("prompt_lab.count"),
        list(counts),
        format_func=counts.__getitem__,
        required=True,
        key="prompt_lab.count",
        persist_state="session",
        label_visibility="collapsed",
    )
    names = shown_versions()
    titles = [say(f"prompt_lab.version_{name}") for name in names]
    for name, place in zip(names, st.tabs(titles) if is_phone() else st.columns(len(names), border=True), strict=True):
        with place:
            _draw_version(agent, name, question)


def _draw_version(agent: str, name: Name, question: str) -> None:
    st.markdown(f"#### {say(f'prompt_lab.version_{name}')}")
    found = {key: source.label for key, source in sources(agent).items()}
    key = f"prompt_lab.{agent}.{name}.source"
    st.selectbox(
        say("prompt_lab.start_from"),
        list(found),
        index=None,
        placeholder=say("prompt_lab.start_from_hint"),
        key=key,
        on_change=lambda: _take_source(agent, name, key),
        help=say("prompt_lab.start_from_help"),
        format_func=lambda source: found.get(source, ""),
    )
    with st.container(horizontal=True, gap="small"):
        for switch in SWITCHES[agent]:
            st.toggle(
                say(f"page.{switch}"),
                key=setting_key(agent, name, switch),
                persist_state="session",
                help=say(f"page.{switch}_{agent}_help"),
            )
    if PARADIGMS[agent].has_tools:
        st.pills(
            say("page.tools"),
            list(toolbox().names),
            selection_mode="multi",
            key=setting_key(agent, name, "tools"),
            persist_state="session",
            help=say("page.tools_help"),
        )
    tools = toolbox().without(*(set(toolbox().names) - set(st.session_state[setting_key(agent, name, "tools")])))
    values = {"question": question, "tools": tools.describe(), "max_steps": str(st.session_state[f"{agent}.limit"])}
    draw_prompt_editor(agent, values, name)


def _take_source(agent: str, name: Name, key: str) -> None:
    chosen = st.session_state[key]
    st.session_state[key] = None  # it is something to do, not something that the version is
    source = sources(agent).get(chosen)
    if source is not None:
        start_from(agent, name, source)
