"""The paradigms as the app knows them: what each page is about, what can be set, and how its agent is made."""

from collections.abc import Mapping
from dataclasses import dataclass

from agents.base import Agent, Model, Settings
from agents.direct import Direct
from agents.plan_and_solve import PlanAndSolve
from agents.react import ReAct
from agents.reflection import Reflection
from agents.tools.toolbox import Toolbox
from components.texts import say


@dataclass(frozen=True)
class Limit:
    """How far the loop may go: ReAct steps, plan steps or rounds."""

    default: int
    most: int


@dataclass(frozen=True)
class Paradigm:
    """A paradigm's page, icon and settings. Its texts are the entries that begin with its name in `paradigms.toml`."""

    name: str
    page: str
    icon: str
    limit: Limit
    has_tools: bool = False
    has_closing_call: bool = False


PARADIGMS: dict[str, Paradigm] = {
    paradigm.name: paradigm
    for paradigm in (
        Paradigm("react", "pages/react.py", ":material/sync:", Limit(6, 12), has_tools=True, has_closing_call=True),
        Paradigm(
            "plan_and_solve", "pages/plan_and_solve.py", ":material/checklist:", Limit(8, 12), has_closing_call=True
        ),
        Paradigm("reflection", "pages/reflection.py", ":material/rate_review:", Limit(3, 6)),
    )
}


WATCHED = (*PARADIGMS, "compare")  # the pages that have runs


def lane_name(name: str) -> str:
    """The agent's name for a person."""
    return say(f"paradigms.{name}")


def make_agent(
    name: str,
    model: Model,
    toolbox: Toolbox,
    templates: Mapping[str, str],
    settings: Settings,
    limit: int,
    closes: bool,
) -> Agent:
    """The agent with this name; what it does not have (tools, a limit, a closing call) is left aside."""
    match name:
        case "react":
            return ReAct(model, toolbox, templates, settings, limit, closes)
        case "plan_and_solve":
            return PlanAndSolve(model, templates, settings, limit, closes)
        case "reflection":
            return Reflection(model, templates, settings, limit)
        case "direct":
            return Direct(model, templates, settings)
        case _:
            raise ValueError(f"There is no agent {name!r}.")
