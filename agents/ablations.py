"""Ablations: experiments in which one part of a paradigm is taken out, to see what it is good for.

Each is a few versions of the same agent that differ in prompts (the names of shipped variants), in switches, or in
having tools. Some are the papers' own: ReAct against acting only and reasoning only (Yao et al., 2022, table 1), and
feedback against none (Madaan et al., 2023, section 4).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from agents.by_name import Switches


@dataclass(frozen=True)
class Version:
    """One side of an experiment. `variants` has the variant of each role that is not the default one."""

    name: str
    variants: Mapping[str, str] = field(default_factory=dict)
    switches: Switches = field(default_factory=Switches)
    has_tools: bool = True


@dataclass(frozen=True)
class Ablation:
    """An experiment with an agent: its versions in the order in which they are shown, the whole paradigm first."""

    name: str
    agent: str
    versions: tuple[Version, ...]


WITH_ALL = Version("with_all")
ACT_ONLY = {"react": "act_only", "observation": "act_only", "reminder": "act_only"}
REASON_ONLY = {"react": "reason_only", "reminder": "reason_only"}

ABLATIONS = (
    Ablation("thoughts", "react", (WITH_ALL, Version("without_thoughts", ACT_ONLY))),
    Ablation("tools", "react", (WITH_ALL, Version("without_tools", REASON_ONLY, has_tools=False))),
    Ablation("memory", "react", (WITH_ALL, Version("thoughts_forgotten", switches=Switches(keeps_thoughts=False)))),
    Ablation("stop", "react", (WITH_ALL, Version("without_stop", switches=Switches(sends_stop=False)))),
    Ablation(
        "examples",
        "react",
        (
            Version("no_example", {"react": "no_example"}),
            Version("one_example"),
            Version("two_examples", {"react": "two_examples"}),
        ),
    ),
    Ablation(
        "execution",
        "plan_and_solve",
        (WITH_ALL, Version("plan_only", {"closing": "plan_only"}, Switches(executes=False))),
    ),
    Ablation("closing", "plan_and_solve", (WITH_ALL, Version("without_closing", switches=Switches(closes=False)))),
    Ablation(
        "reviewer",
        "reflection",
        (
            Version("strict_reviewer", {"reviewer": "strict"}),
            Version("kind_reviewer", {"reviewer": "kind"}),
            Version("no_reviewer", {"reviewer": "strict", "reviser": "no_feedback"}, Switches(reviews=False)),
        ),
    ),
)


def ablations_of(agent: str) -> list[Ablation]:
    """The experiments with this agent."""
    return [ablation for ablation in ABLATIONS if ablation.agent == agent]
