"""The comparison's two charts: what each lane sent and got back, call by call, and what it did when."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import streamlit as st

from agents.run import Run
from components import chart_lanes
from components.chart_rows import BAD_OUTCOMES, Row, lane_rows, timeline_rows, token_rows
from components.look import LOOKS
from components.loop_diagram import COLOURS
from components.texts import say

if TYPE_CHECKING:
    from altair import LayerChart

ON_COLOUR = "#ffffff"
FAINT = "40"  # the opacity of a fill, of "ff"
TOOL_INSET = 8  # pixels by which the block of a tool is thinner than the bar, above and below


def draw_tokens_chart(lanes: Mapping[str, Run]) -> None:
    """Draws one bar a lane, made of its model calls: input outlined, output solid, the total at its end."""
    rows = token_rows(lanes)
    if not rows:
        st.caption(say("comparison_charts.no_calls"))
        return
    caption = say("comparison_charts.tokens_caption")
    if any(row["estimated"] for row in rows):
        caption += f" {say('comparison_charts.estimated')}"
    st.markdown(caption)
    st.altair_chart(_tokens_chart(rows, lane_rows(lanes)), width="stretch")


def draw_timeline(lanes: Mapping[str, Run]) -> None:
    """Draws one bar a lane, made of its steps in time, with what came of the run at its end."""
    rows = timeline_rows(lanes)
    if not rows:
        st.caption(say("comparison_charts.no_steps"))
        return
    st.markdown(say("comparison_charts.timeline_caption"))
    st.altair_chart(_timeline(rows, lane_rows(lanes)), width="stretch")


def _tokens_chart(rows: list[Row], lanes: list[Row]) -> "LayerChart":
    import altair

    parts = {part: say(f"comparison_charts.{part}") for part in ("input", "output")}
    blocks = [
        row
        | chart_lanes.place(row)
        | _call_labels(row)
        | {
            "name": parts[row["part"]],
            "count": _count(row),
            "description": f"{row['lane']} · {row['title']} · {parts[row['part']]}: {_count(row)}",
        }
        for row in rows
    ]
    ends = [
        lane
        | {
            "end": lane["tokens"],
            "words": [_count(lane), *([_outcome(lane)] if lane["outcome"] in BAD_OUTCOMES else [])],
            "detail": _calls(lane),
        }
        for lane in lanes
    ]
    tooltip = chart_lanes.tooltip(
        ("lane", "lane"), ("call", "call"), ("title", "title"), ("part", "name"), ("tokens", "count")
    )
    fill = altair.Scale(domain=list(parts.values()), range=[COLOURS["primary"] + FAINT, COLOURS["primary"]])
    layers = [
        chart_lanes.bars(blocks, "tokens", tooltip)
        .mark_rect(stroke=COLOURS["primary"], strokeWidth=2)
        .encode(altair.Fill("name:N", scale=fill, legend=chart_lanes.legend(columns=1))),
        chart_lanes.block_labels(
            [row for row in blocks if row["part"] == "input"], "tokens", chart_lanes.TEXT, tooltip
        ),
        chart_lanes.block_labels([row for row in blocks if row["part"] == "output"], "tokens", ON_COLOUR, tooltip),
        *chart_lanes.lane_texts(ends, "tokens"),
    ]
    return chart_lanes.whole(layers, len(lanes), say("comparison_charts.tokens_caption").replace("**", ""))


def _timeline(rows: list[Row], lanes: list[Row]) -> "LayerChart":
    import altair

    names = _role_names(rows)
    blocks = [
        row
        | chart_lanes.place(row, TOOL_INSET if row["role"] == "action" else 0)
        | _step_labels(row)
        | {
            "name": names[_colour(row)],
            "role_name": _role(row),
            "took": _seconds(row["end"] - row["begin"], digits=2),
            "sent": _count(row, "input_tokens") if row["input_tokens"] else "–",
            "written": _count(row, "output_tokens") if row["output_tokens"] else "–",
            "description": f"{row['lane']} · {row['step']} {row['title']} · {_seconds(row['end'] - row['begin'], 2)}",
        }
        for row in rows
    ]
    ends = [lane | {"end": lane["seconds"], "words": _end_words(lane), "detail": ""} for lane in lanes]
    tooltip = chart_lanes.tooltip(
        ("lane", "lane"),
        ("step", "step"),
        ("title", "title"),
        ("part", "role_name"),
        ("took", "took"),
        ("input", "sent"),
        ("output", "written"),
    )
    colours = altair.Scale(domain=list(names.values()), range=list(names))
    layers = [
        chart_lanes.bars(blocks, "seconds", tooltip).encode(
            altair.Color("name:N", scale=colours, legend=chart_lanes.legend(columns=3))
        ),
        chart_lanes.block_labels(blocks, "seconds", ON_COLOUR, tooltip),
        *chart_lanes.end_marks(ends, "seconds"),
        *chart_lanes.lane_texts(ends, "seconds"),
    ]
    return chart_lanes.whole(layers, len(lanes), say("comparison_charts.timeline_caption").replace("**", ""))


def _call_labels(row: Row) -> Row:
    tokens = f"{row['tokens']:,}"
    call = say("comparison_charts.call_tokens", {"n": str(row["call"]), "tokens": tokens})
    return chart_lanes.labels(tokens, tokens, call if row["part"] == "input" else tokens)


def _step_labels(row: Row) -> Row:
    """A step's number, its role, its title. A tool's block goes without the number, which stands before it."""
    if row["role"] == "action":
        return chart_lanes.labels("", row["title"].partition("[")[0], row["title"])
    numbered = f"{row['step']} {_role(row)}"
    # ReAct's titles ("Step 2") tell less than the role does.
    title = numbered if row["kind"] == "react" else f"{row['step']} {row['title']}"
    return chart_lanes.labels(str(row["step"]), numbered, title)


def _role_names(rows: list[Row]) -> dict[str, str]:
    """What the legend calls each colour: the role that has it, or all of them."""
    roles: dict[str, list[str]] = {}
    for row in rows:
        roles.setdefault(_colour(row), []).append(_role(row))
    return {colour: " · ".join(dict.fromkeys(names)) for colour, names in roles.items()}


def _colour(row: Row) -> str:
    return COLOURS[LOOKS[row["role"]].colour]


def _role(row: Row) -> str:
    return say(f"roles.{row['role']}")


def _outcome(lane: Row) -> str:
    return say(f"comparison_charts.{lane['outcome']}")


def _end_words(lane: Row) -> list[str]:
    seconds = [] if lane["outcome"] == "not_started" else [_seconds(lane["seconds"], digits=1)]
    return [_outcome(lane), *seconds]


def _calls(lane: Row) -> str:
    if not lane["calls"]:
        return ""
    values = {"n": str(lane["calls"]), "in": _count(lane, "input_tokens"), "out": f"{lane['output_tokens']:,}"}
    return say("comparison_charts.one_call" if lane["calls"] == 1 else "comparison_charts.calls", values)


def _count(row: Row, field: str = "tokens") -> str:
    return f"{'≈ ' if row['estimated'] else ''}{row[field]:,}"


def _seconds(seconds: float, digits: int) -> str:
    return say("comparison_charts.duration", {"s": f"{seconds:.{digits}f}"})
