"""The paradigms as the app knows them: what each page is about, and what can be set."""

from dataclasses import dataclass

from agents.by_name import DEFAULT_LIMITS, SWITCHES, Switch
from components.texts import say


@dataclass(frozen=True)
class Paradigm:
    """A paradigm's page, icon and settings. Its texts are the entries that begin with its name in `paradigms.toml`."""

    name: str
    page: str
    icon: str
    most: int  # how far its limit can be set: ReAct steps, plan steps or rounds
    has_tools: bool = False

    @property
    def limit(self) -> int:
        """The limit before anybody sets it."""
        return DEFAULT_LIMITS[self.name]

    @property
    def switches(self) -> tuple[Switch, ...]:
        """The parts that can be taken out of it."""
        return SWITCHES[self.name]


PARADIGMS: dict[str, Paradigm] = {
    paradigm.name: paradigm
    for paradigm in (
        Paradigm("react", "pages/react.py", ":material/sync:", 12, has_tools=True),
        Paradigm("plan_and_solve", "pages/plan_and_solve.py", ":material/checklist:", 12),
        Paradigm("reflection", "pages/reflection.py", ":material/rate_review:", 6),
    )
}


PAGES_WITH_RUNS = (*PARADIGMS, "compare", "prompt_lab")
WATCHED = tuple(f"{page}.{kind}" for page in PAGES_WITH_RUNS for kind in ("run", "fork"))  # keys of the session


def lane_name(name: str) -> str:
    """The agent's name for a person."""
    return say(f"paradigms.{name}")
