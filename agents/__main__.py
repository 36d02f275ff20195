"""The command line: runs one agent and prints what it reports, as it happens.

    python -m agents react "Which is taller, the Eiffel Tower or the Burj Khalifa?" [--json]

Exit code 0 with an answer, 1 without one, 2 on wrong use or where the model failed.
"""

import argparse
import json
import os
import signal
import sys
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NoReturn, cast

from agents import wording
from agents.base import Agent, Settings
from agents.by_name import make_agent
from agents.errors import ModelError
from agents.events import Language, Stamped
from agents.models.choice import choose_model
from agents.models.settings import load_settings
from agents.recording import RecordingError, event_to_dict, from_json, to_json
from agents.run import Run
from agents.tools.toolbox import default_toolbox
from agents.transcript import Transcript

AGENTS = {"direct": "direct", "react": "react", "plan": "plan_and_solve", "reflect": "reflection"}


def main() -> int:
    """Runs the command line and returns its exit code."""
    arguments = parsed()
    try:
        return show(arguments)
    except KeyboardInterrupt:  # before the run had begun; a run that goes on is stopped by `live`
        print(file=sys.stderr)
        return 1
    except BrokenPipeError:  # whoever read the output has left (`… | head`)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def parsed() -> argparse.Namespace:
    """The arguments, checked for what belongs together."""
    parser = argparse.ArgumentParser(prog="python -m agents", description="Runs one agent on a question.")
    parser.add_argument("agent", choices=AGENTS, nargs="?", help="the paradigm")
    parser.add_argument("question", nargs="?", help="the question or task")
    parser.add_argument("--model", metavar="NAME", help="a model of the server, or 'demo', which needs no server")
    parser.add_argument(
        "--base-url", metavar="URL", help="an OpenAI-compatible server, such as http://localhost:11434/v1"
    )
    parser.add_argument("--language", choices=("en", "zh"), default="en", help="of prompts and messages (default: en)")
    parser.add_argument("--max-steps", type=int, metavar="N", help="most turns, plan steps or rounds")
    parser.add_argument("--json", action="store_true", help="print one event a line, as JSON")
    parser.add_argument("--save", type=Path, metavar="FILE", help="write the run to a file")
    parser.add_argument("--replay", type=Path, metavar="FILE", help="show a saved run; no model is called")
    arguments = parser.parse_args()
    if arguments.replay is None and not (arguments.question or "").strip():
        parser.error('An agent and a question are needed, such as: react "How old is the Eiffel Tower?"')
    if arguments.max_steps is not None and arguments.max_steps < 1:
        parser.error("--max-steps has to be 1 or more.")
    if arguments.max_steps is not None and arguments.agent == "direct":
        parser.error("--max-steps does not apply to 'direct', which makes one call.")
    return arguments


def show(arguments: argparse.Namespace) -> int:
    """Prints the run that was asked for, and returns the exit code."""
    transcript = Transcript(arguments.language)
    events: list[Stamped] = []
    for stamped in replayed(arguments.replay) if arguments.replay else live(agent_of(arguments), arguments.question):
        events.append(stamped)
        as_json = json.dumps(event_to_dict(stamped), ensure_ascii=False) + "\n"
        print(as_json if arguments.json else transcript.text_of(stamped.event), end="", flush=True)
    run = Run(events)
    if not arguments.json:
        print(transcript.totals(run.totals))
    if arguments.save:
        save(run, arguments.save)
    if run.ended and run.ended.reason == "model_error":
        fail(f"{run.ended.message} {run.ended.next_step}")
    return 0 if run.answer is not None else 1


def live(agent: Agent, question: str) -> Iterator[Stamped]:
    """The run as it happens. Ctrl-C stops it, and a second Ctrl-C ends the program as usual."""

    def stop(*_: object) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        # On a thread of its own: the interrupted main thread may hold the very lock that stopping needs.
        threading.Thread(target=agent.stop).start()

    signal.signal(signal.SIGINT, stop)
    run = Run()
    for event in agent.stream(question):
        yield run.record(event)


def replayed(file: Path) -> Iterable[Stamped]:
    """The events of a saved run."""
    try:
        return from_json(file.read_text(encoding="utf-8")).events
    except OSError as error:
        fail(f"{file} cannot be read: {error.strerror}.")
    except (RecordingError, UnicodeDecodeError) as error:
        fail(f"{file} cannot be replayed. {error}")


def save(run: Run, file: Path) -> None:
    """Writes the run to a file."""
    try:
        file.write_text(to_json(run), encoding="utf-8")
    except OSError as error:
        fail(f"The run cannot be saved to {file}: {error.strerror}.")


def agent_of(arguments: argparse.Namespace) -> Agent:
    """The agent that was asked for, with the model of the arguments, of .env, or the demo model."""
    language = cast(Language, arguments.language)
    try:
        env = load_settings()
        model = choose_model(env.model, arguments.model, arguments.base_url)
    except ModelError as error:
        fail(" ".join(wording.describe_error(error, language)))
    except ValueError as error:
        fail(str(error))
    name = AGENTS[arguments.agent]
    toolbox = default_toolbox(env.search_key, language)
    return make_agent(name, model, toolbox, None, Settings(language=language), arguments.max_steps)


def fail(sentence: str) -> NoReturn:
    """Ends the program with a sentence on standard error and exit code 2."""
    print(sentence, file=sys.stderr)
    sys.exit(2)


if __name__ == "__main__":
    sys.exit(main())
