"""What a lane runs: an agent with all that it was set to, or a fork of another run. Nothing is drawn here."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from agents.base import Agent, Model, Settings
from agents.by_name import Switches, make_agent
from agents.events import Language, Part
from agents.forking import fork
from agents.run import Run
from agents.tools.toolbox import Toolbox


class AnyLane(Protocol):
    """`name` tells it from the other lanes, `label` is the key of its title among the texts.

    `variant` says what its prompts are, for a person.
    """

    @property
    def name(self) -> str: ...  # noqa: D102

    @property
    def label(self) -> str: ...  # noqa: D102

    @property
    def agent_name(self) -> str: ...  # noqa: D102

    @property
    def variant(self) -> str: ...  # noqa: D102

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
    variant: str

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
class ForkedLane:
    """A run that goes on from a change in another one (`agents.forking`), in the language of that run."""

    name: str
    label: str
    agent_name: str
    variant: str
    run: Run
    step: int
    part: Part
    text: str
    by: str
    model: Model
    toolbox: Toolbox

    def agent(self, language: Language) -> Agent:
        """A new agent that takes over the run up to the change."""
        return fork(self.run, self.step, self.part, self.text, self.by, self.model, self.toolbox)
