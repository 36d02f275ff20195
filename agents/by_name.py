"""An agent by its name, for those who let a person choose: the command line, the app, the benchmarks."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Literal

from agents.base import Agent, Model, Settings
from agents.direct import Direct
from agents.events import Scalar
from agents.plan_and_solve import PlanAndSolve
from agents.react import ReAct
from agents.reflection import Reflection
from agents.tools.toolbox import Toolbox

NAMES = ("direct", "react", "plan_and_solve", "reflection")
DEFAULT_LIMITS = {"react": 6, "plan_and_solve": 8, "reflection": 3}  # turns, plan steps, rounds

Switch = Literal["closes", "sends_stop", "keeps_thoughts", "executes", "reviews"]
SWITCHES: dict[str, tuple[Switch, ...]] = {
    "direct": (),
    "react": ("closes", "sends_stop", "keeps_thoughts"),
    "plan_and_solve": ("executes", "closes"),
    "reflection": ("reviews",),
}


@dataclass(frozen=True)
class Switches:
    """The parts of the paradigms that can be taken out to see what they are good for; SWITCHES says whose they are."""

    closes: bool = True
    sends_stop: bool = True
    keeps_thoughts: bool = True
    executes: bool = True
    reviews: bool = True

    @classmethod
    def of(cls, settings: Mapping[str, Scalar]) -> "Switches":
        """The switches in a run's record (`RunStarted.settings`); what is not in it is on."""
        return cls(**{field.name: bool(settings.get(field.name, True)) for field in fields(cls)})


def limit_in(settings: Mapping[str, Scalar]) -> int:
    """The limit of steps or rounds in a run's record; 1 for an agent that has none."""
    return int(settings.get("max_steps") or settings.get("max_rounds") or 1)


def make_agent(
    name: str,
    model: Model,
    toolbox: Toolbox,
    templates: Mapping[str, str] | None = None,
    settings: Settings | None = None,
    limit: int | None = None,
    switches: Switches | None = None,
) -> Agent:
    """The agent with this name; what it does not have (tools, a limit, a switch) is left aside.

    Without a limit it is the default one. Raises ValueError where there is no such agent.
    """
    most = DEFAULT_LIMITS.get(name, 1) if limit is None else limit
    on = switches or Switches()
    match name:
        case "react":
            return ReAct(
                model,
                toolbox,
                templates,
                settings,
                most,
                closes=on.closes,
                sends_stop=on.sends_stop,
                keeps_thoughts=on.keeps_thoughts,
            )
        case "plan_and_solve":
            return PlanAndSolve(model, templates, settings, most, closes=on.closes, executes=on.executes)
        case "reflection":
            return Reflection(model, templates, settings, most, reviews=on.reviews)
        case "direct":
            return Direct(model, templates, settings)
        case _:
            raise ValueError(f"There is no agent '{name}'. Choose one of: {', '.join(NAMES)}.")
