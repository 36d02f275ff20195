"""What the parts of the paradigms are good for: every ablation of `agents.ablations` on a few questions, temperature 0.

    python -m benchmarks.ablations questions.jsonl --facts facts.json --base-url http://127.0.0.1:8081/v1 \
        --only w02 w06 m01 m03 m04

The files are those of `benchmarks.answers`. Prints one table, a row for each version of each ablation, and (on standard
error) a line for each run. "Invented" are the observations that the model wrote itself and that were cut; "flips" are a
reflection's revisions that made a wrong version right and a right one wrong.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from agents.ablations import ABLATIONS, Ablation, Version
from agents.base import Agent, Model, Settings
from agents.by_name import make_agent
from agents.events import Draft, FormatSlip
from agents.expected import is_right
from agents.models.choice import choose_model
from agents.models.settings import load_settings
from agents.prompts import load_template
from agents.recording import to_json
from agents.run import Run
from agents.tools.sample_search import facts_search
from agents.tools.toolbox import CALCULATOR, Toolbox, search_tool
from benchmarks.answers import Question, read_questions


def agent_for(ablation: Ablation, version: Version, model: Model, question: Question, facts: dict[str, str]) -> Agent:
    """The agent of one version, for a question."""
    tools = [search_tool(facts_search(facts)), CALCULATOR] if version.has_tools else []
    templates = {
        role: load_template(ablation.agent, role, variant, question.language)
        for role, variant in version.variants.items()
    }
    settings = Settings(language=question.language)
    toolbox = Toolbox(tools, question.language)
    return make_agent(ablation.agent, model, toolbox, templates, settings, switches=version.switches)


def row(ablation: Ablation, version: Version, questions: Sequence[Question], runs: Sequence[Run]) -> dict[str, object]:
    """One line of the table: what the runs of one version came to."""
    totals = [run.totals for run in runs]
    pairs = list(zip(runs, questions, strict=True))
    right = sum(is_right(run.answer, question.expected) for run, question in pairs)
    marks = [[is_right(draft.text, question.expected) for draft in run.of(Draft)] for run, question in pairs]
    flips = [flip for mark in marks for flip in pairwise(mark)]
    return {
        "ablation": f"{ablation.agent}: {ablation.name}",
        "version": version.name,
        "right": f"{right} of {len(runs)}",
        "answered": f"{sum(run.answer is not None for run in runs)}",
        "steps": sum(total.steps for total in totals),
        "calls": sum(total.model_calls for total in totals),
        "slips": sum(total.format_slips for total in totals),
        "invented": sum(slip.rule == "invented_observation" for run in runs for slip in run.of(FormatSlip)),
        "flips": f"+{flips.count((False, True))} −{flips.count((True, False))}" if flips else "–",
        "tokens in": f"{sum(total.input_tokens for total in totals):,}",
        "tokens out": f"{sum(total.output_tokens for total in totals):,}",
        "seconds": f"{sum(total.seconds for total in totals):.0f}",
    }


def main() -> None:
    """Runs all and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--facts", type=Path, required=True)
    names = [ablation.name for ablation in ABLATIONS]
    parser.add_argument("--ablations", nargs="+", choices=names, default=names)
    parser.add_argument("--only", nargs="+", metavar="ID", help="only the questions with these ids")
    parser.add_argument("--model")
    parser.add_argument("--base-url")
    parser.add_argument("--save", type=Path, metavar="FOLDER", help="write every run there as JSON")
    arguments = parser.parse_args()

    questions = read_questions(arguments.questions, arguments.only)
    facts = json.loads(arguments.facts.read_text(encoding="utf-8"))
    model = choose_model(load_settings().model, arguments.model, arguments.base_url)
    rows = []
    for ablation in (ablation for ablation in ABLATIONS if ablation.name in arguments.ablations):
        for version in ablation.versions:
            runs = []
            for question in questions:
                run = agent_for(ablation, version, model, question, facts).run(question.question)
                runs.append(run)
                verdict = "right" if is_right(run.answer, question.expected) else "WRONG"
                place = f"{ablation.name} {version.name} {question.id}"
                print(f"{place} {verdict} {run.reason}: {run.answer!r}", file=sys.stderr, flush=True)
                if arguments.save:
                    arguments.save.mkdir(parents=True, exist_ok=True)
                    file = arguments.save / f"{ablation.name}-{version.name}-{question.id}.json"
                    file.write_text(to_json(run), encoding="utf-8")
            rows.append(row(ablation, version, questions, runs))
    print("| " + " | ".join(rows[0]) + " |")
    print("|" + "---|" * len(rows[0]))
    for values in rows:
        print("| " + " | ".join(str(value) for value in values.values()) + " |")


if __name__ == "__main__":
    main()
