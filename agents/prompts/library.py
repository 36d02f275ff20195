"""The shipped templates: `<agent>/<role>.<variant>.<language>.txt` beside this file. A new file is a new variant."""

from dataclasses import dataclass
from importlib import resources

from agents.events import Language
from agents.prompts.fill import plain_newlines


@dataclass(frozen=True)
class Role:
    """One prompt of an agent: the placeholders that its template needs for the model to see all, and may have."""

    required: tuple[str, ...]
    optional: tuple[str, ...] = ()


ROLES: dict[str, dict[str, Role]] = {
    "direct": {"answer": Role(("question",))},
    "react": {
        "react": Role(("question", "tools"), ("trajectory",)),
        "observation": Role(("observation",), ("question",)),
        "reminder": Role(("fault",), ("tools",)),
        "closing": Role((), ("question",)),
        "given_thought": Role(("thought",)),
    },
    "plan_and_solve": {
        "planner": Role(("question",), ("max_steps",)),
        "reminder": Role(("fault",)),
        "executor": Role(("question", "plan", "results", "step")),
        "closing": Role(("question", "results"), ("plan",)),
    },
    "reflection": {
        "writer": Role(("question",)),
        "reviewer": Role(("question", "draft")),
        "reviser": Role(("question", "draft", "feedback"), ("history",)),
    },
}


def load_template(agent: str, role: str, variant: str = "default", language: Language = "en") -> str:
    """The text of a shipped template. Raises FileNotFoundError where there is none of that name."""
    file = resources.files(__package__).joinpath(agent, f"{role}.{variant}.{language}.txt")
    return plain_newlines(file.read_text(encoding="utf-8")).rstrip("\n")


def variants(agent: str, role: str) -> list[str]:
    """The names of the role's shipped templates, the default first."""
    names = {
        file.name.split(".")[1]
        for file in resources.files(__package__).joinpath(agent).iterdir()
        if file.name.startswith(f"{role}.")
    }
    return sorted(names, key=lambda name: (name != "default", name))


def default_templates(agent: str, language: Language) -> dict[str, str]:
    """The agent's default template of each role."""
    return {role: load_template(agent, role, "default", language) for role in ROLES[agent]}
