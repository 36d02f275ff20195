"""An agent by its name, for those who let a person choose: the command line, the app, the benchmarks."""

from collections.abc import Mapping

from agents.base import Agent, Model, Settings
from agents.direct import Direct
from agents.plan_and_solve import PlanAndSolve
from agents.react import ReAct
from agents.reflection import Reflection
from agents.tools.toolbox import Toolbox

NAMES = ("direct", "react", "plan_and_solve", "reflection")
DEFAULT_LIMITS = {"react": 6, "plan_and_solve": 8, "reflection": 3}  # turns, plan steps, rounds


def make_agent(
    name: str,
    model: Model,
    toolbox: Toolbox,
    templates: Mapping[str, str] | None = None,
    settings: Settings | None = None,
    limit: int | None = None,
    closes: bool = True,
) -> Agent:
    """The agent with this name; what it does not have (tools, a limit, a closing call) is left aside.

    Without a limit it is the default one. Raises ValueError where there is no such agent.
    """
    most = limit or DEFAULT_LIMITS.get(name, 1)
    match name:
        case "react":
            return ReAct(model, toolbox, templates, settings, most, closes)
        case "plan_and_solve":
            return PlanAndSolve(model, templates, settings, most, closes)
        case "reflection":
            return Reflection(model, templates, settings, most)
        case "direct":
            return Direct(model, templates, settings)
        case _:
            raise ValueError(f"There is no agent '{name}'. Choose one of: {', '.join(NAMES)}.")
