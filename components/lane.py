"""What a lane runs: an agent with all that it was set to, or a fork of another run. Nothing is drawn here."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from agents.base import Agent, Model, Settings
from agents.by_name import Switches, make_agent
from agents.events import Language, Part
from agents.forking import fork
from agents.models.recorded import RecordedModel
from agents.run import Run
from agents.tools.toolbox import Toolbox


class AnyLane(Protocol):
    """Something that runs in a lane."""

    @property
    def name(self) -> str:
        """What tells it from the other lanes."""

    @property
    def label(self) -> str:
        """The key of its title among the texts."""

    @property
    def agent_name(self) -> str:
        """The name of the agent that runs in it."""

    def agent(self, language: Language) -> Agent:
        """A new agent, for one run on a question in this language."""


@dataclass(frozen=True)
class Lane:
    """An agent, with all that it was set to. Tools and templates are there in the language of each question."""

    name: str
    label: str
    agent_name: str
    model: Model
    toolboxes: Mapping[Language, Toolbox]
    templates: Mapping[Language, Mapping[str, str]]
    settings: Settings
    limit: int
    switches: Switches

    def agent(self, language: Language) -> Agent:
        """A new agent, for one run on a question in this language."""
        return make_agent(
            self.agent_name,
            self.model,
            self.toolboxes[language],
            self.templates[language],
            replace(self.settings, language=language),
            self.limit,
            self.switches,
        )


@dataclass(frozen=True)
class OriginalLane:
    """The run that a fork goes on from. It is over, so no new agent is made of it."""

    run_agent: Agent
    name: str = "original"

    @property
    def label(self) -> str:
        """The key of its title: a fork that is changed in its turn is not the original."""
        return "what_if.before_it" if self.run_agent.settings.changes else "what_if.original"

    @property
    def agent_name(self) -> str:
        """The agent's name."""
        return self.run_agent.name

    def agent(self, language: Language) -> Agent:
        """The agent of the run."""
        return self.run_agent


@dataclass(frozen=True)
class ForkedLane:
    """A run that goes on from a change in another one (`agents.forking`), in its language and with its model."""

    original: Agent
    run: Run
    step: int
    part: Part
    text: str
    by: str
    toolbox: Toolbox
    name: str = "fork"
    label: str = "what_if.fork"

    @property
    def agent_name(self) -> str:
        """The agent's name."""
        return self.original.name

    def agent(self, language: Language) -> Agent:
        """A new agent that takes over the run up to the change. Raises ForkError where it cannot."""
        model = self.original.model
        if isinstance(model, RecordedModel):  # of a fork that is changed in its turn
            model = model.model
        return fork(self.run, self.step, self.part, self.text, self.by, model, self.toolbox)
