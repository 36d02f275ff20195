"""The rows behind the comparison's two charts, computed from the lanes' events. It words and draws nothing.

A lane is a label and a run, which may be going on, be over, or not have begun. `row` counts the lanes from 0, in the
order in which they are drawn.
"""

from collections.abc import Mapping
from typing import Any, Literal

from agents.events import Action, ModelRequest, ModelResponse, RunEnded, StepStarted
from agents.run import Run
from components.look import ROLE_OF_STEP, Role
from components.safe_text import shortened
from components.steps import steps_of

Row = dict[str, Any]
Outcome = Literal["not_started", "unfinished", "answered", "no_answer", "stopped", "failed"]

BAD_OUTCOMES: tuple[Outcome, ...] = ("no_answer", "stopped", "failed")

TITLE_LENGTH = 80


def lane_rows(lanes: Mapping[str, Run]) -> list[Row]:
    """One row for each lane: its totals and its outcome."""
    rows = []
    for number, (lane, run) in enumerate(lanes.items()):
        totals = run.totals
        rows.append(
            {
                "lane": lane,
                "row": number,
                "calls": totals.model_calls,
                "input_tokens": totals.input_tokens,
                "output_tokens": totals.output_tokens,
                "tokens": totals.input_tokens + totals.output_tokens,
                "estimated": totals.estimated,
                "seconds": totals.seconds,
                "outcome": outcome_of(run),
            }
        )
    return rows


def outcome_of(run: Run) -> Outcome:
    """What came of the run: whether it answered, or why not."""
    match run.reason:
        case None:
            return "unfinished" if run.events else "not_started"
        case "model_error":
            return "failed"
        case "stopped":
            return "stopped"
        case _:
            return "no_answer" if run.answer is None else "answered"


def token_rows(lanes: Mapping[str, Run]) -> list[Row]:
    """Two rows for each model call, input and output, laid end to end: `begin` and `end` are in tokens."""
    rows: list[Row] = []
    for number, (lane, run) in enumerate(lanes.items()):
        call, position = 0, 0
        for step in steps_of(stamped.event for stamped in run.events):
            for response in (made.response for made in step.calls if made.response):
                call += 1
                usage = response.usage
                for part, tokens in (("input", usage.input_tokens), ("output", usage.output_tokens)):
                    rows.append(
                        {
                            "lane": lane,
                            "row": number,
                            "call": call,
                            "step": step.number,
                            "title": shortened(step.title, TITLE_LENGTH),
                            "part": part,
                            "tokens": tokens,
                            "estimated": usage.estimated,
                            "begin": position,
                            "end": position + tokens,
                        }
                    )
                    position += tokens
    return rows


def timeline_rows(lanes: Mapping[str, Run]) -> list[Row]:
    """The stretches of each run, without gaps: `begin` and `end` are in seconds since the run began.

    A step is one stretch, in which the model is at work; where it calls a tool, a second stretch with the role
    "action" follows, named after the call. The last stretch of a run that goes on ends with its latest event.
    """
    return [row for number, (lane, run) in enumerate(lanes.items()) for row in _stretches(lane, number, run)]


def _stretches(lane: str, number: int, run: Run) -> list[Row]:
    rows: list[Row] = []

    def begin(at: float, step: StepStarted, role: Role, title: str) -> None:
        rows.append(
            {
                "lane": lane,
                "row": number,
                "step": step.number,
                "title": shortened(title, TITLE_LENGTH),
                "kind": step.kind,
                "role": role,
                "input_tokens": 0,
                "output_tokens": 0,
                "estimated": False,
                "begin": at,
                "end": at,
            }
        )

    step: StepStarted | None = None
    for stamped in run.events:
        if rows:
            rows[-1]["end"] = stamped.at
        match stamped.event:
            case StepStarted() as step:
                begin(stamped.at, step, ROLE_OF_STEP[step.kind], step.title)
            case Action(tool, argument) if step:
                begin(stamped.at, step, "action", f"{tool}[{argument}]")
            case ModelRequest() if step and rows[-1]["role"] == "action":
                begin(stamped.at, step, ROLE_OF_STEP[step.kind], step.title)
            case ModelResponse(usage=usage) if rows:
                rows[-1]["input_tokens"] += usage.input_tokens
                rows[-1]["output_tokens"] += usage.output_tokens
                rows[-1]["estimated"] |= usage.estimated
            case RunEnded():
                break
    return rows
