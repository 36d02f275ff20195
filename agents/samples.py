"""The sample questions: offered on every page, and known to the demo model."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources

from agents.events import Language


@dataclass(frozen=True)
class Sample:
    """A question in both languages, the agents (by name) that it suits, and what a right answer holds ("" if open)."""

    name: str
    agents: tuple[str, ...]
    text: dict[Language, str]
    expected: str = ""


@cache
def samples() -> tuple[Sample, ...]:
    """All sample questions, in the order in which they are offered."""
    content = tomllib.loads(resources.files(__package__).joinpath("samples.toml").read_text(encoding="utf-8"))
    return tuple(
        Sample(name, tuple(entry["agents"]), {"en": entry["en"], "zh": entry["zh"]}, entry.get("expected", ""))
        for name, entry in content.items()
    )
