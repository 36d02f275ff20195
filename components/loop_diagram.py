"""The loop of a paradigm as a small drawing, with the state lit up that the run is in.

The drawing is an SVG of our own: it takes its text colour from the page, so that it fits the light and the dark theme.
`st.html` would drop it and `st.image` would not know the page's colours, hence `st.markdown`; all of its text is ours.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

from streamlit.delta_generator import DeltaGenerator

from agents.events import Action, FinalAnswer, Observation, StepResult
from components.look import LOOKS, Colour, Role
from components.steps import Step
from components.texts import say

# Each stands out from both backgrounds (3 : 1 or more) and carries white text (4.5 : 1 or more).
COLOURS: dict[Colour, str] = {
    "violet": "#8957e5",
    "blue": "#1f72d6",
    "green": "#1b8549",
    "yellow": "#8f7000",
    "gray": "#6b7686",
    "orange": "#c2560c",
    "primary": "#4a6ae0",
    "red": "#d1383d",
}

# All lengths are in units of the drawing, which is 360 wide: about one pixel each in a column of the page.
BOX_WIDTH, BOX_HEIGHT, GAP, EDGE = 152, 62, 44, 6
WIDTH = 2 * (EDGE + BOX_WIDTH) + GAP
CLEARANCE = 4  # between an arrow and a box
HEAD = 13
BESIDE = 14  # how far two opposite arrows keep from the middle

STYLE = """<style>
@media (prefers-reduced-motion: no-preference) {
  .loop-diagram-active { animation: loop-diagram-pulse 1.6s ease-in-out infinite; }
}
@keyframes loop-diagram-pulse { 50% { stroke-opacity: 0.3; } }
</style>"""

Point = tuple[float, float]


@dataclass(frozen=True)
class Node:
    """A state of the loop and its place in a grid of two columns."""

    name: str
    role: Role
    column: int
    row: int

    @property
    def left(self) -> int:
        """Where its box begins, from the left."""
        return EDGE + self.column * (BOX_WIDTH + GAP)

    @property
    def top(self) -> int:
        """Where its box begins, from the top."""
        return EDGE + self.row * (BOX_HEIGHT + GAP)

    @property
    def middle(self) -> Point:
        """The middle of its box."""
        return self.left + BOX_WIDTH / 2, self.top + BOX_HEIGHT / 2


@dataclass(frozen=True)
class Loop:
    """The states of a paradigm, and which of them follow one another."""

    nodes: tuple[Node, ...]
    arrows: tuple[tuple[str, str], ...]


LOOPS: dict[str, Loop] = {
    "react": Loop(
        (
            Node("question", "question", 0, 0),
            Node("think", "thought", 0, 1),
            Node("act", "action", 1, 1),
            Node("observe", "observation", 1, 2),
            Node("answer", "answer", 1, 0),
        ),
        (("question", "think"), ("think", "act"), ("act", "observe"), ("observe", "think"), ("think", "answer")),
    ),
    "plan_and_solve": Loop(
        (
            Node("question", "question", 0, 0),
            Node("plan", "plan", 1, 0),
            Node("carry_out", "step", 1, 1),
            Node("result", "step", 0, 1),
            Node("answer", "answer", 0, 2),
        ),
        (
            ("question", "plan"),
            ("plan", "carry_out"),
            ("carry_out", "result"),
            ("result", "carry_out"),
            ("result", "answer"),
        ),
    ),
    "reflection": Loop(
        (
            Node("task", "question", 0, 0),
            Node("draft", "draft", 1, 0),
            Node("review", "feedback", 1, 1),
            Node("revise", "draft", 0, 1),
            Node("answer", "answer", 1, 2),
        ),
        (("task", "draft"), ("draft", "review"), ("review", "revise"), ("revise", "review"), ("review", "answer")),
    ),
    "direct": Loop(
        (Node("question", "question", 0, 0), Node("answer", "answer", 1, 0)),
        (("question", "answer"),),
    ),
}


def active_state(agent: str, steps: list[Step], is_over: bool) -> str | None:
    """The state that the run is in: the name of a node in the agent's loop.

    None where the run is over and came to no answer.
    """
    if not steps:
        return None if is_over else LOOPS[agent].nodes[0].name
    step = steps[-1]
    latest = step.outcomes[-1] if step.outcomes else None
    if isinstance(latest, FinalAnswer):
        return "answer"
    if is_over:
        return None
    match step.kind:
        case "react" if isinstance(latest, Action):
            return "act"
        case "react" if isinstance(latest, Observation):
            return "observe"
        case "react":
            return "think"
        case "execute":
            return "result" if isinstance(latest, StepResult) else "carry_out"
        case "answer" | "close":
            return "answer"
        case "plan" | "draft" | "review" | "revise":
            return step.kind


def draw_diagram(place: DeltaGenerator, agent: str, active: str | None) -> None:
    """Draws the agent's loop into a place of the page, in the session's language."""
    labels = {node.name: say(f"loop_diagram.{node.name}") for node in LOOPS[agent].nodes}
    values = {"agent": say(f"paradigms.{agent}"), "path": say(f"loop_diagram.{agent}_path")}
    description = (
        say("loop_diagram.now", values | {"state": labels[active]}) if active else say("loop_diagram.path", values)
    )
    place.markdown(diagram(agent, active, labels, description), unsafe_allow_html=True)


def diagram(agent: str, active: str | None, labels: Mapping[str, str], description: str) -> str:
    """The agent's loop as an inline SVG in a div, without blank lines. `description` is what a screen reader says."""
    loop = LOOPS[agent]
    nodes = {node.name: node for node in loop.nodes}
    height = max(node.top for node in loop.nodes) + BOX_HEIGHT + EDGE
    shapes = [
        *(_arrow(nodes[start], nodes[end], (end, start) in loop.arrows) for start, end in loop.arrows),
        *(_box(node, labels[node.name], node.name == active) for node in loop.nodes),
    ]
    return (
        f'<div>{STYLE}<svg role="img" aria-label="{escape(description)}" viewBox="0 0 {WIDTH} {height}" '
        f'style="display: block; width: 100%; max-width: {WIDTH * 1.25:g}px; max-height: 15rem; margin: 0 auto">'
        f"{''.join(shapes)}</svg></div>"
    )


def _box(node: Node, label: str, is_active: bool) -> str:
    """A state: outlined in its role's colour; the active one filled, ringed and marked with a triangle."""
    colour = COLOURS[LOOKS[node.role].colour]
    x, y = node.middle
    look = (
        f'fill="{colour}" stroke="currentColor" stroke-width="5" class="loop-diagram-active"'
        if is_active
        else f'fill="none" stroke="{colour}" stroke-width="3"'
    )
    mark = f'<path d="M{node.left + 11} {y - 8}l13 8l-13 8z" fill="#ffffff"/>' if is_active else ""
    return (
        f'<rect x="{node.left}" y="{node.top}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="12" {look}/>{mark}'
        f'<text x="{x + 9 if is_active else x}" y="{y}" text-anchor="middle" dominant-baseline="central" '
        f'font-size="27" font-weight="700" fill="{"#ffffff" if is_active else "currentColor"}">{escape(label)}</text>'
    )


def _arrow(start: Node, end: Node, has_opposite: bool) -> str:
    """An arrow from box to box. Where one runs the other way, too, both keep aside."""
    points = _route(start, end, BESIDE if has_opposite else 0)
    (x, y), (before_x, before_y) = points[-1], points[-2]
    length = ((x - before_x) ** 2 + (y - before_y) ** 2) ** 0.5
    along_x, along_y = (x - before_x) / length * HEAD, (y - before_y) / length * HEAD
    neck_x, neck_y = x - along_x, y - along_y
    shaft = "L".join(f"{at_x:g} {at_y:g}" for at_x, at_y in (*points[:-1], (neck_x, neck_y)))
    head = (
        f"M{x:g} {y:g}L{neck_x - along_y * 0.6:.1f} {neck_y + along_x * 0.6:.1f}"
        f"L{neck_x + along_y * 0.6:.1f} {neck_y - along_x * 0.6:.1f}z"
    )
    return (
        f'<path d="M{shaft}" fill="none" stroke="currentColor" stroke-width="3.5" stroke-linejoin="round"/>'
        f'<path d="{head}" fill="currentColor"/>'
    )


def _route(start: Node, end: Node, aside: float) -> list[Point]:
    """The points of an arrow: straight along a row or a column, upwards to the right, or back to the left and up."""
    (x, y), (to_x, to_y) = start.middle, end.middle
    half_width, half_height = BOX_WIDTH / 2 + CLEARANCE, BOX_HEIGHT / 2 + CLEARANCE
    if start.row == end.row:
        way = 1 if to_x > x else -1
        return [(x + way * half_width, y + way * aside), (to_x - way * half_width, y + way * aside)]
    if start.column == end.column:
        way = 1 if to_y > y else -1
        return [(x, y + way * half_height), (x, to_y - way * half_height)]
    if end.column > start.column:
        corner = BOX_WIDTH / 2 - 8
        return [(x + corner, y - half_height), (to_x - corner, to_y + half_height)]
    return [(x - half_width, y), (to_x, y), (to_x, to_y + half_height)]
