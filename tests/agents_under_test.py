"""What the agents' tests share: tools whose results are known, and short forms for the events of a run."""

from agents.errors import ToolError
from agents.events import Event, ModelRequest, ReplyDelta
from agents.tools.toolbox import Tool, Toolbox

HEIGHTS = {"height of Tower A": "Tower A is 300 m tall.", "height of Tower B": "Tower B is 250 m tall."}


def look_up(query: str) -> str:
    """A search that knows two heights."""
    return HEIGHTS.get(query, f"Nothing is known about {query}.")


def divide(expression: str) -> str:
    """A calculator that fails at everything but one sum."""
    if expression != "300 - 250":
        raise ToolError("division_by_zero")
    return "50"


TOOLBOX = Toolbox(
    [
        Tool("Search", {"en": "Search[words]", "zh": "Search[词]"}, look_up),
        Tool("Calculator", {"en": "Calculator[expression]", "zh": "Calculator[算式]"}, divide),
    ]
)


def without_calls(events: list[Event]) -> list[Event]:
    """The events of a run less requests, deltas and what is measured, so that a trajectory can be written down."""
    return [event for event in events if not isinstance(event, ModelRequest | ReplyDelta)]


def kinds(events: list[Event]) -> list[str]:
    """The names of the events."""
    return [type(event).__name__ for event in events]
