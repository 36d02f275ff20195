"""What a person has set for an agent, kept in the session under "<agent>.<setting>", and what it is before they do."""

import streamlit as st

from agents.by_name import SWITCHES, Switches
from agents.events import Language
from agents.samples import Sample, samples
from agents.tools.toolbox import Toolbox, default_toolbox
from components.paradigms import PARADIGMS
from components.server_settings import server_settings
from components.texts import language


def prepare(name: str) -> None:
    """Fills in what the person has not set yet: the limits, the switches and the tools of this agent."""
    state = st.session_state
    paradigm = PARADIGMS.get(name)
    state.setdefault(f"{name}.limit", paradigm.limit if paradigm else 1)
    state.setdefault(f"{name}.temperature", 0.0)
    for switch in SWITCHES[name]:
        state.setdefault(f"{name}.{switch}", True)
    state.setdefault(f"{name}.tools", list(toolbox().names))


def prepare_question(page: str, offered: list[Sample]) -> None:
    """Fills in a question in the person's language; that of a link (?q=) once."""
    state, key = st.session_state, f"{page}.question"
    state.setdefault(key, offered[0].text[language()])
    state[key] = _in_language(state[key], language())
    linked = st.query_params.get("q", "").strip()
    if linked and state.get(f"{page}.linked") != linked:
        state[f"{page}.linked"] = linked
        state[key] = linked[:4000]


def _in_language(question: str, wanted: Language) -> str:
    """The question; an untouched sample follows the language."""
    return next((sample.text[wanted] for sample in samples() if question in sample.text.values()), question)


def samples_for(*agents: str) -> list[Sample]:
    """The sample questions that suit all of these agents."""
    return [sample for sample in samples() if set(agents) <= set(sample.agents)]


def ask_sample(page: str, sample_name: str) -> None:
    """Puts a sample question into the page's question box."""
    sample = next(sample for sample in samples() if sample.name == sample_name)
    st.session_state[f"{page}.question"] = sample.text[language()]


def toolbox(wanted: Language | None = None) -> Toolbox:
    """All tools there are, in a language; by default the person's."""
    return default_toolbox(server_settings().configuration.search_key, wanted or language())


def chosen_toolbox(name: str, wanted: Language | None = None) -> Toolbox:
    """The tools that the person left on for this agent, in a language; by default the person's."""
    everything = toolbox(wanted)
    return everything.without(*(set(everything.names) - set(st.session_state[f"{name}.tools"])))


def chosen_switches(name: str) -> Switches:
    """The parts of this agent that the person left on."""
    return Switches(**{switch: st.session_state[f"{name}.{switch}"] for switch in SWITCHES[name]})


def is_phone() -> bool:
    """Whether the browser says that it is a phone's: columns would be too narrow there."""
    return "Mobi" in (st.context.headers.get("User-Agent") or "")
