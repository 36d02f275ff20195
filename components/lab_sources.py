"""Where a version of the prompt lab can start from: the prompts of the agent's page, or an earlier run."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import streamlit as st

from agents.by_name import SWITCHES, Switches
from agents.run import Run
from components.comparison_run import ComparisonRun
from components.lab_versions import Name, set_version
from components.live_run import LiveRun
from components.page_settings import toolbox
from components.paradigms import PAGES_WITH_RUNS
from components.session_templates import session_templates, templates
from components.texts import LANGUAGES, language, say

PAGE = "page"  # the key of the prompts of the agent's own page


@dataclass(frozen=True)
class Source:
    """Something to start from. `run` is None for the agent's page, whose settings are taken as they are then."""

    label: str
    run: Run | None = None


def sources(agent: str) -> dict[str, Source]:
    """All that a version of this agent can start from now, by a key that stays the same while the session goes on.

    Runs are those in the session's language: the prompts of others would not be seen.
    """
    found = {PAGE: Source(say("prompt_lab.from_page", {"page": say(f"paradigms.{agent}")}))}
    for key, what, run in _runs():
        if run.started is not None and run.started.agent == agent and run.started.language == language():
            question = " ".join(run.started.question.split())[:60]
            found[key] = Source(say("prompt_lab.from_run", {"what": what, "question": question}), run)
    return found


def start_from(agent: str, name: Name, source: Source) -> None:
    """Gives a version everything of the source: prompts, tools and switches."""
    state = st.session_state
    if source.run is None:
        for wanted in LANGUAGES:
            _replace(agent, name, wanted, templates(agent, wanted))
        switches = Switches(**{switch: state[f"{agent}.{switch}"] for switch in SWITCHES[agent]})
        set_version(agent, name, switches, state[f"{agent}.tools"])
    elif source.run.started is not None:
        started = source.run.started
        _replace(agent, name, started.language, started.templates)
        used = str(started.settings.get("tools", "")).split(", ")
        tools = [tool for tool in toolbox().names if tool in used or "tools" not in started.settings]
        set_version(agent, name, Switches.of(started.settings), tools)


def _runs() -> Iterator[tuple[str, str, Run]]:
    """The session's runs that are over, each with a key and what it is for a person."""
    for page in PAGES_WITH_RUNS:
        name = say(f"paradigms.{page}")
        live = st.session_state.get(f"{page}.run")
        if isinstance(live, LiveRun) and live.is_over:
            yield f"{page}.run", say("prompt_lab.last_run", {"page": name}), live.run
        previous = st.session_state.get(f"{page}.previous")
        if isinstance(previous, Run):
            yield f"{page}.previous", say("prompt_lab.run_before", {"page": name}), previous
        for kind in ("run", "fork"):
            comparison = st.session_state.get(f"{page}.{kind}")
            if isinstance(comparison, ComparisonRun):
                for job, run in comparison.runs.items():
                    values = {"page": name, "lane": say(comparison.lanes[job.lane].label), "time": str(job.time)}
                    key = f"{page}.{kind}.{job.lane}.{job.number}.{job.time}"
                    yield key, say("prompt_lab.lane_run", values), run


def _replace(agent: str, name: Name, wanted: str, texts: Mapping[str, str]) -> None:
    for template in session_templates(agent, "zh" if wanted == "zh" else "en", name):
        text = texts.get(template.role, template.default)
        if text != template.text:
            template.replace(text)
