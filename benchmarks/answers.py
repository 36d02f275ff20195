"""How many questions each agent answers, and what that costs: every question through every agent, at temperature 0.

    python -m benchmarks.answers questions.jsonl --facts facts.json --base-url http://127.0.0.1:8081/v1

A question file has one JSON object a line: id, kind, language ("en" or "zh"), question, expected (a text, a
number or a pattern, as `agents.expected` reads it). The facts file maps keywords to what the search tool returns for a
query that contains the keyword, so that no live search blurs the comparison.
Prints one table, for all questions together, and (on standard error) a line for each run.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from agents.base import Agent, Model, Settings
from agents.by_name import NAMES, make_agent
from agents.events import Language, ModelResponse, Usage
from agents.expected import is_right
from agents.models.choice import choose_model
from agents.models.settings import load_settings
from agents.prompts import load_template
from agents.recording import to_json
from agents.run import Run
from agents.tools.sample_search import facts_search
from agents.tools.toolbox import CALCULATOR, Toolbox, search_tool


@dataclass(frozen=True)
class Question:
    """A line of the question file."""

    id: str
    kind: str
    language: Language
    question: str
    expected: str


def read_questions(file: Path, only: Sequence[str] | None) -> list[Question]:
    """The questions of a file, or those of them with these ids."""
    lines = file.read_text(encoding="utf-8").splitlines()
    questions = [Question(**json.loads(line)) for line in lines if line.strip()]
    return [question for question in questions if not only or question.id in only]


def agent_for(name: str, model: Model, language: Language, facts: dict[str, str], variants: dict[str, str]) -> Agent:
    """The agent with this name, its default limits, and the given variant of some of its roles."""
    templates = {role: load_template(name, role, variant, language) for role, variant in variants.items()}
    toolbox = Toolbox([search_tool(facts_search(facts)), CALCULATOR], language)
    return make_agent(name, model, toolbox, templates, Settings(language=language))


def row(name: str, questions: Sequence[Question], runs: Sequence[Run]) -> dict[str, object]:
    """One line of the table: what all runs of an agent came to."""
    totals = [run.totals for run in runs]
    calls = [[response.usage for response in run.of(ModelResponse)] for run in runs]
    usages, later = [usage for call in calls for usage in call], [usage for call in calls for usage in call[1:]]
    right = sum(is_right(run.answer, question.expected) for question, run in zip(questions, runs, strict=True))
    return {
        "agent": name,
        "answered": f"{sum(run.answer is not None for run in runs)} of {len(runs)}",
        "right": f"{right} of {len(runs)}",
        "format slips": sum(total.format_slips for total in totals),
        "model calls": sum(total.model_calls for total in totals),
        "tokens in": ("≈" if any(total.estimated for total in totals) else "")
        + f"{sum(total.input_tokens for total in totals):,}",
        "tokens out": f"{sum(total.output_tokens for total in totals):,}",
        "input from cache": _share(usages),
        "from 2nd call on": _share(later),
        "seconds": f"{sum(total.seconds for total in totals):.0f}",
    }


def _share(usages: Sequence[Usage]) -> str:
    """The share of the input tokens that the server had in its cache."""
    tokens = sum(usage.input_tokens for usage in usages)
    return f"{sum(usage.cached_tokens for usage in usages) / tokens:.0%}" if tokens else "–"


def main() -> None:
    """Runs all and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--facts", type=Path, required=True)
    parser.add_argument("--agents", nargs="+", choices=NAMES, default=["direct", "react", "plan_and_solve"])
    parser.add_argument("--only", nargs="+", metavar="ID", help="only the questions with these ids")
    parser.add_argument("--variant", nargs="+", default=[], metavar="ROLE=NAME", help="use this variant of a template")
    parser.add_argument("--model")
    parser.add_argument("--base-url")
    parser.add_argument("--save", type=Path, metavar="FOLDER", help="write every run there as JSON")
    arguments = parser.parse_args()

    questions = read_questions(arguments.questions, arguments.only)
    facts = json.loads(arguments.facts.read_text(encoding="utf-8"))
    variants = dict(pair.split("=", maxsplit=1) for pair in arguments.variant)
    model = choose_model(load_settings().model, arguments.model, arguments.base_url)
    rows = []
    for name in arguments.agents:
        runs = []
        for question in questions:
            run = agent_for(name, model, question.language, facts, variants).run(question.question)
            runs.append(run)
            verdict = "right" if is_right(run.answer, question.expected) else "WRONG"
            print(f"{name} {question.id} {verdict} {run.reason}: {run.answer!r}", file=sys.stderr, flush=True)
            if arguments.save:
                arguments.save.mkdir(parents=True, exist_ok=True)
                (arguments.save / f"{name}-{question.id}.json").write_text(to_json(run), encoding="utf-8")
        rows.append(row(name, questions, runs))
    print("| " + " | ".join(rows[0]) + " |")
    print("|" + "---|" * len(rows[0]))
    for values in rows:
        print("| " + " | ".join(str(value) for value in values.values()) + " |")


if __name__ == "__main__":
    main()
