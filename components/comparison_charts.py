"""The comparison's two charts: what each lane sent and got back, call by call, and what it did when.

A lane has a strip of fixed height, its name above its bar, so that neither a long name nor a narrow phone takes the
bar's place. Which label fits into a block is decided in the browser, which knows how wide the page is.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING
from unicodedata import east_asian_width

import streamlit as st

from agents.run import Run
from components.chart_rows import BAD_OUTCOMES, Row, lane_rows, timeline_rows, token_rows
from components.look import LOOKS
from components.loop_diagram import COLOURS
from components.texts import say

if TYPE_CHECKING:
    from altair import Chart, LayerChart, Legend, Tooltip, X, Y

# All lengths are in pixels.
FONT_SIZE = 16
LANE_HEIGHT, NAME_AT, BAR_TOP, BAR_BOTTOM = 92, 18, 34, 78
BAR_MIDDLE = (BAR_TOP + BAR_BOTTOM) // 2
LINE_HEIGHT = 20
ROOM_AT_THE_END = 112  # for the words behind the longest bar
WIDE = 600  # from here on there is room for more columns in a legend and more figures on an axis

TEXT = "currentColor"  # the page's own, in the light and in the dark theme
ON_COLOUR = "#ffffff"
FAINT = "40"  # a fill's opacity, of "ff"
BLOCK_WIDTH = "(scale('x', datum.end) - scale('x', datum.begin))"
LABEL_THAT_FITS = (
    f"{BLOCK_WIDTH} > datum.long_room ? datum.long : {BLOCK_WIDTH} > datum.middle_room ? datum.middle : "
    f"{BLOCK_WIDTH} > datum.short_room ? datum.short : ''"
)
LEAST_ROOM = 170  # a long label may be cut off, but not to less than this


def draw_tokens_chart(lanes: Mapping[str, Run]) -> None:
    """Draws one bar a lane, made of its model calls: input outlined, output solid, the total at its end."""
    rows = token_rows(lanes)
    if not rows:
        st.caption(say("comparison_charts.no_calls"))
        return
    about = f" {say('comparison_charts.estimated')}" if any(row["estimated"] for row in rows) else ""
    st.markdown(say("comparison_charts.tokens_caption") + about)
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
        row | _place(row) | _call_labels(row) | {"name": parts[row["part"]], "count": _count(row)} for row in rows
    ]
    fill = altair.Scale(domain=list(parts.values()), range=[COLOURS["primary"] + FAINT, COLOURS["primary"]])
    bars = (
        _chart(blocks)
        .mark_rect(stroke=COLOURS["primary"], strokeWidth=2)
        .encode(
            altair.Fill("name:N", scale=fill, legend=_legend(columns=1)),
            _x("begin", "tokens"),
            altair.X2("end"),
            _y("top"),
            altair.Y2("bottom"),
            tooltip=_tooltip(lane="lane", call="call", title="title", part="name", tokens="count"),
        )
    )
    ends = [
        lane | {"end": lane["tokens"], "words": [_count(lane), *_outcome_if_bad(lane)], "detail": _calls(lane)}
        for lane in lanes
    ]
    texts = (
        _block_labels([block for block in blocks if block["part"] == "input"], "tokens", TEXT),
        _block_labels([block for block in blocks if block["part"] == "output"], "tokens", ON_COLOUR),
        *_lane_texts(ends, "tokens"),
    )
    return _whole([bars, *texts], len(lanes))


def _timeline(rows: list[Row], lanes: list[Row]) -> "LayerChart":
    import altair

    names = _role_names(rows)
    blocks = [
        row
        | _place(row)
        | _step_labels(row)
        | {
            "name": names[_colour(row)],
            "role_name": say(f"roles.{row['role']}"),
            "took": _seconds(row["end"] - row["begin"], digits=2),
            "sent": _count(row, "input_tokens") if row["input_tokens"] else "–",
            "written": _count(row, "output_tokens") if row["output_tokens"] else "–",
        }
        for row in rows
    ]
    colours = altair.Scale(domain=list(names.values()), range=list(names))
    bars = (
        _chart(blocks)
        .mark_rect(x2Offset=-2)
        .encode(
            altair.Color("name:N", scale=colours, legend=_legend(columns=3)),
            _x("begin", "seconds"),
            altair.X2("end"),
            _y("top"),
            altair.Y2("bottom"),
            tooltip=_tooltip(
                lane="lane", step="step", title="title", part="role_name", took="took", input="sent", output="written"
            ),
        )
    )
    ends = [lane | _place(lane) | {"end": lane["seconds"], "words": _end_words(lane), "detail": ""} for lane in lanes]
    marks = [
        _chart([end])
        .mark_rule(color=COLOURS["red"], strokeWidth=6)
        .encode(_x("end", "seconds"), _y("top"), altair.Y2("bottom"))
        for end in ends
        if end["outcome"] in BAD_OUTCOMES
    ]
    labels = _block_labels(blocks, "seconds", ON_COLOUR)
    return _whole([bars, labels, *marks, *_lane_texts(ends, "seconds")], len(lanes))


def _block_labels(blocks: list[Row], unit: str, colour: str) -> "Chart":
    """The longest label of each block that fits into it."""
    labels: Chart = (
        _chart(blocks)
        .mark_text(
            align="left",
            dx=6,
            color=colour,
            fontSize=FONT_SIZE,
            limit={"expr": f"max(1, {BLOCK_WIDTH} - 8)"},
            text={"expr": LABEL_THAT_FITS},
            tooltip=None,
        )
        .encode(_x("begin", unit), _y("center"))
    )
    return labels


def _lane_texts(ends: list[Row], unit: str) -> tuple["Chart", "Chart", "Chart"]:
    """Each lane's name above its bar, a detail beside it where there is room for both, and the words at its end."""
    import altair

    heads = [
        end | {"at": end["row"] * LANE_HEIGHT + NAME_AT, "room": _width(end["lane"] + end["detail"]) + 60}
        for end in ends
    ]
    names = (
        _chart(heads)
        .mark_text(align="left", color=TEXT, fontSize=FONT_SIZE + 1, fontWeight="bold", limit={"expr": "width"})
        .encode(_y("at"), x=altair.value(0), text="lane:N")
    )
    details = (
        _chart(heads)
        .mark_text(
            align="right", color=TEXT, fontSize=FONT_SIZE, text={"expr": "width > datum.room ? datum.detail : ''"}
        )
        .encode(_y("at"), x=altair.value("width"))
    )
    lines = [
        {
            "text": text,
            "end": end["end"],
            "is_bad": text == say(f"comparison_charts.{end['outcome']}") and end["outcome"] in BAD_OUTCOMES,
            "at": end["row"] * LANE_HEIGHT + BAR_MIDDLE + LINE_HEIGHT * (number - (len(end["words"]) - 1) / 2),
        }
        for end in ends
        for number, text in enumerate(end["words"])
    ]
    words = (
        _chart(lines)
        .mark_text(align="left", dx=10, fontSize=FONT_SIZE, fontWeight="bold")
        .encode(
            _x("end", unit),
            _y("at"),
            text="text:N",
            color=altair.condition("datum.is_bad", altair.value(COLOURS["red"]), altair.value(TEXT)),
        )
    )
    return names, details, words


def _whole(layers: list["Chart"], lanes: int) -> "LayerChart":
    import altair

    # Streamlit's own choice, "fit", would take the legend and the axis out of the lanes' height.
    autosize = altair.AutoSizeParams(type="fit-x", contains="padding")
    chart: LayerChart = (
        altair.LayerChart(layer=layers, height=lanes * LANE_HEIGHT, autosize=autosize)
        .configure_axis(labelFontSize=FONT_SIZE, titleFontSize=FONT_SIZE, labelColor=TEXT, titleColor=TEXT)
        .configure_legend(
            labelFontSize=FONT_SIZE,
            labelColor=TEXT,
            labelLimit=0,
            symbolSize=260,
            symbolType="square",
            columnPadding=18,
        )
    )
    return chart


def _chart(rows: list[Row]) -> "Chart":
    import altair

    return altair.Chart(altair.InlineData(values=rows))


def _x(field: str, unit: str) -> "X":
    import altair

    axis = altair.Axis(format="~f" if unit == "seconds" else ",d", tickCount={"expr": f"width > {WIDE} ? 8 : 3"})
    scale = altair.Scale(nice=False, zero=True, range=[0, {"expr": f"width - {ROOM_AT_THE_END}"}])
    return altair.X(f"{field}:Q", title=say(f"comparison_charts.{unit}"), axis=axis, scale=scale)


def _y(field: str) -> "Y":
    """A height in pixels from the top of the drawing."""
    import altair

    return altair.Y(
        f"{field}:Q", axis=None, scale=altair.Scale(domainMin=0, domainMax={"expr": "height"}, reverse=True)
    )


def _legend(columns: int) -> "Legend":
    import altair

    return altair.Legend(title=None, orient="top", columns={"expr": f"width > {WIDE} ? 8 : {columns}"})


def _tooltip(**fields: str) -> list["Tooltip"]:
    import altair

    return [
        altair.Tooltip(f"{field}:N", title=say(f"comparison_charts.{heading}")) for heading, field in fields.items()
    ]


def _place(row: Row) -> Row:
    """Where the bar of this row's lane lies."""
    above = row["row"] * LANE_HEIGHT
    return {"top": above + BAR_TOP, "center": above + BAR_MIDDLE, "bottom": above + BAR_BOTTOM}


def _labels(short: str, middle: str, long: str) -> Row:
    """Three labels for a block, with the room that each of them needs."""
    return {
        "short": short,
        "middle": middle,
        "long": long,
        "short_room": _width(short) + 10,
        "middle_room": _width(middle) + 10,
        "long_room": min(LEAST_ROOM, _width(long) + 10),
    }


def _call_labels(row: Row) -> Row:
    tokens = f"{row['tokens']:,}"
    call = say("comparison_charts.call_tokens", {"n": str(row["call"]), "tokens": tokens})
    return _labels(tokens, tokens, call if row["part"] == "input" else tokens)


def _role_names(rows: list[Row]) -> dict[str, str]:
    """What the legend calls each colour: its role, or all of its roles."""
    roles: dict[str, dict[str, None]] = {}
    for row in rows:
        roles.setdefault(_colour(row), {})[say(f"roles.{row['role']}")] = None
    return {colour: " · ".join(names) for colour, names in roles.items()}


def _colour(row: Row) -> str:
    return COLOURS[LOOKS[row["role"]].colour]


def _step_labels(row: Row) -> Row:
    """A step's number, its role, its title; a tool's stretch goes without the number, which stands before it."""
    if row["role"] == "action":
        return _labels("", row["title"].partition("[")[0], row["title"])
    numbered = f"{row['step']} {say('roles.' + row['role'])}"
    return _labels(str(row["step"]), numbered, numbered if row["kind"] == "react" else f"{row['step']} {row['title']}")


def _end_words(lane: Row) -> list[str]:
    word = say(f"comparison_charts.{lane['outcome']}")
    return [word] if lane["outcome"] == "not_started" else [word, _seconds(lane["seconds"], digits=1)]


def _outcome_if_bad(lane: Row) -> list[str]:
    return [say(f"comparison_charts.{lane['outcome']}")] if lane["outcome"] in BAD_OUTCOMES else []


def _calls(lane: Row) -> str:
    if not lane["calls"]:
        return ""
    values = {"n": str(lane["calls"]), "in": _count(lane, "input_tokens"), "out": f"{lane['output_tokens']:,}"}
    return say("comparison_charts.one_call" if lane["calls"] == 1 else "comparison_charts.calls", values)


def _count(row: Row, field: str = "tokens") -> str:
    return f"{'≈ ' if row['estimated'] else ''}{row[field]:,}"


def _seconds(seconds: float, digits: int) -> str:
    return say("comparison_charts.duration", {"s": f"{seconds:.{digits}f}"})


def _width(text: str) -> float:
    """About how wide the text is in pixels, rather too wide than too narrow.

    >>> _width("Step"), _width("步骤")
    (38.4, 32)
    """
    return sum(FONT_SIZE if east_asian_width(character) in "WF" else 0.6 * FONT_SIZE for character in text)
