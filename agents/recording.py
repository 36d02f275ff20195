"""A run as JSON, and back.

    {"version": 1, "events": [{"event": "RunStarted", "at": 0.0, "agent": "react", …}, …]}

Reading is strict: an event, a field or a version that this file does not know is refused with a sentence that says
where it is, rather than skipped. Pydantic checks the fields against the dataclasses of `events`.
"""

import json
from dataclasses import asdict

from pydantic import TypeAdapter, ValidationError

from agents.events import EVENTS, Event, Stamped
from agents.run import Run

VERSION = 1


class RecordingError(Exception):
    """A recording that cannot be read. The message is a sentence for a person."""


def event_to_dict(stamped: Stamped) -> dict[str, object]:
    """The event as it stands in a recording and in the command line's `--json`.

    >>> from agents.events import Thought
    >>> event_to_dict(Stamped(1.5, Thought("Look it up.")))
    {'event': 'Thought', 'at': 1.5, 'text': 'Look it up.'}
    """
    return {"event": type(stamped.event).__name__, "at": stamped.at, **asdict(stamped.event)}


def to_json(run: Run) -> str:
    """The run as JSON text."""
    events = [event_to_dict(stamped) for stamped in run.events]
    return json.dumps({"version": VERSION, "events": events}, ensure_ascii=False, indent=1)


def from_json(text: str) -> Run:
    """The run in a JSON text. Raises RecordingError with a sentence that says what is wrong and where."""
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        raise RecordingError(f"This is no JSON: {error.msg} in line {error.lineno}.") from error
    if not isinstance(content, dict) or "version" not in content:
        raise RecordingError("This is no recorded run: it has no version.")
    if content["version"] != VERSION:
        raise RecordingError(
            f"This recording has version {json.dumps(content['version'])}; "
            f"version {VERSION} is the one that can be read."
        )
    if unknown := sorted(content.keys() - {"version", "events"}):
        raise RecordingError(f"The recording has a part {unknown[0]!r} that is not known.")
    if not isinstance(content.get("events"), list):
        raise RecordingError("The recording has no list of events.")
    return Run([_event(number, entry) for number, entry in enumerate(content["events"], start=1)])


def _event(number: int, entry: object) -> Stamped:
    if not isinstance(entry, dict):
        raise RecordingError(f"Event {number} is not an object with fields.")
    fields = dict(entry)
    name, at = fields.pop("event", None), fields.pop("at", None)
    if not isinstance(name, str) or name not in EVENTS:
        raise RecordingError(f"Event {number} is of a kind {json.dumps(name)} that is not known.")
    if isinstance(at, bool) or not isinstance(at, int | float):
        raise RecordingError(f"Event {number} ({name}) does not say when it happened: 'at' has to be a number.")
    try:
        # From JSON text, since only there a list may stand for a tuple although all else is checked strictly.
        event: Event = TypeAdapter(EVENTS[name]).validate_json(json.dumps(fields), strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise RecordingError(f"Event {number} ({name}), field {place!r}: {first['msg']}.") from error
    return Stamped(float(at), event)
