"""What the comparison's charts are put together from: a strip for each lane, its texts, the axis and the legend.

A lane's name stands above its bar, so that neither a long name nor a narrow phone takes the bar's place. Which label
fits into a block is decided in the browser, which knows how wide the page is. Altair is imported where it is used.
"""

from typing import TYPE_CHECKING
from unicodedata import east_asian_width

from components.chart_rows import BAD_OUTCOMES, Row
from components.loop_diagram import COLOURS
from components.texts import say

if TYPE_CHECKING:
    from altair import Chart, LayerChart, Legend, Tooltip, X, Y

# All lengths are in pixels.
FONT_SIZE = 16
LINE_HEIGHT = 20
LANE_HEIGHT, NAME_AT, BAR_TOP, BAR_BOTTOM = 92, 18, 34, 78
BAR_MIDDLE = (BAR_TOP + BAR_BOTTOM) // 2
ROOM_AT_THE_END = 112  # for the words behind the longest bar
LEAST_ROOM = 150  # a long label may be cut off, but not to less than this
WIDE = 600  # from here on there is room for all of a legend in one line

TEXT = "currentColor"  # the page's own, in the light and in the dark theme
BLOCK_WIDTH = "(scale('x', datum.end) - scale('x', datum.begin))"
LABEL_THAT_FITS = (
    f"{BLOCK_WIDTH} > datum.long_room ? datum.long : {BLOCK_WIDTH} > datum.middle_room ? datum.middle : "
    f"{BLOCK_WIDTH} > datum.short_room ? datum.short : ''"
)


def place(row: Row, inset: int = 0) -> Row:
    """Where a part of a lane's bar lies; an inset makes it thinner than the bar."""
    above = row["row"] * LANE_HEIGHT
    return {"top": above + BAR_TOP + inset, "centre": above + BAR_MIDDLE, "bottom": above + BAR_BOTTOM - inset}


def labels(short: str, middle: str, long: str) -> Row:
    """Three labels for a block, with the room that each of them needs."""
    return {
        "short": short,
        "middle": middle,
        "long": long,
        "short_room": text_width(short) + 9,
        "middle_room": text_width(middle) + 9,
        "long_room": min(LEAST_ROOM, text_width(long) + 9),
    }


def text_width(text: str) -> float:
    """About how wide the text is in pixels, in a chart's font size.

    >>> text_width("Step"), text_width("步骤")
    (32.0, 32)
    """
    return sum(FONT_SIZE if east_asian_width(character) in "WF" else FONT_SIZE / 2 for character in text)


def bars(blocks: list[Row], unit: str, tooltip: list["Tooltip"]) -> "Chart":
    """The blocks of all bars, still without their colours."""
    import altair

    chart: Chart = (
        _chart(blocks)
        .mark_rect(x2Offset=-2)
        .encode(
            x("begin", unit),
            altair.X2("end"),
            y("top"),
            altair.Y2("bottom"),
            altair.Description("description:N"),
            tooltip=tooltip,
        )
    )
    return chart


def block_labels(blocks: list[Row], unit: str, colour: str, tooltip: list["Tooltip"]) -> "Chart":
    """The longest label of each block that fits into it. It carries the block's tooltip, since it lies above it."""
    chart: Chart = (
        _chart(blocks)
        .mark_text(
            align="left",
            aria=False,
            color=colour,
            dx=5,
            fontSize=FONT_SIZE,
            limit={"expr": f"max(1, {BLOCK_WIDTH} - 7)"},
            text={"expr": LABEL_THAT_FITS},
        )
        .encode(x("begin", unit), y("centre"), tooltip=tooltip)
    )
    return chart


def end_marks(lanes: list[Row], unit: str) -> list["Chart"]:
    """A thick red line at the end of each lane that came to nothing."""
    import altair

    return [
        _chart([lane | place(lane)])
        .mark_rule(color=COLOURS["red"], strokeWidth=6)
        .encode(x("end", unit), y("top"), altair.Y2("bottom"))
        for lane in lanes
        if lane["outcome"] in BAD_OUTCOMES
    ]


def lane_texts(lanes: list[Row], unit: str) -> list["Chart"]:
    """Each lane's name above its bar, its `detail` beside it where there is room for both, its `words` at its `end`."""
    import altair

    heads = [
        lane | {"at": lane["row"] * LANE_HEIGHT + NAME_AT, "room": text_width(lane["lane"] + lane["detail"]) + 60}
        for lane in lanes
    ]
    names = (
        _chart(heads)
        .mark_text(align="left", color=TEXT, fontSize=FONT_SIZE + 1, fontWeight="bold", limit={"expr": "width"})
        .encode(y("at"), x=altair.value(0), text="lane:N")
    )
    details = (
        _chart(heads)
        .mark_text(
            align="right", color=TEXT, fontSize=FONT_SIZE, text={"expr": "width > datum.room ? datum.detail : ''"}
        )
        .encode(y("at"), x=altair.value("width"))
    )
    lines = [
        {
            "text": text,
            "end": lane["end"],
            "at": lane["row"] * LANE_HEIGHT + BAR_MIDDLE + LINE_HEIGHT * (number - (len(lane["words"]) - 1) / 2),
            "is_bad": lane["outcome"] in BAD_OUTCOMES and text == say(f"comparison_charts.{lane['outcome']}"),
        }
        for lane in lanes
        for number, text in enumerate(lane["words"])
    ]
    words = (
        _chart(lines)
        .mark_text(align="left", dx=10, fontSize=FONT_SIZE, fontWeight="bold")
        .encode(
            x("end", unit),
            y("at"),
            text="text:N",
            color=altair.condition("datum.is_bad", altair.value(COLOURS["red"]), altair.value(TEXT)),
        )
    )
    return [names, details, words]


def whole(layers: list["Chart"], lanes: int, description: str) -> "LayerChart":
    """The chart made of these layers; the description is what a screen reader says first."""
    import altair

    # Streamlit's own choice, "fit", would take the legend and the axis out of the lanes' height.
    autosize = altair.AutoSizeParams(type="fit-x", contains="padding")
    chart: LayerChart = (
        altair.LayerChart(layer=layers, height=lanes * LANE_HEIGHT, autosize=autosize, description=description)
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


def x(field: str, unit: str) -> "X":
    """A number of tokens or seconds."""
    import altair

    axis = altair.Axis(format="~f" if unit == "seconds" else ",d", tickCount={"expr": f"width > {WIDE} ? 6 : 3"})
    scale = altair.Scale(nice=False, zero=True, range=[0, {"expr": f"width - {ROOM_AT_THE_END}"}])
    return altair.X(f"{field}:Q", title=say(f"comparison_charts.{unit}"), axis=axis, scale=scale)


def y(field: str) -> "Y":
    """A height in pixels from the top of the drawing."""
    import altair

    scale = altair.Scale(domainMin=0, domainMax={"expr": "height"}, reverse=True)
    return altair.Y(f"{field}:Q", axis=None, scale=scale)


def legend(columns: int) -> "Legend":
    """The legend above the chart, in one line or, on a phone, in so many columns."""
    import altair

    return altair.Legend(title=None, orient="top", columns={"expr": f"width > {WIDE} ? 8 : {columns}"})


def tooltip(*fields: tuple[str, str]) -> list["Tooltip"]:
    """A tooltip of these headings, each with the field below it."""
    import altair

    return [altair.Tooltip(f"{field}:N", title=say(f"comparison_charts.{heading}")) for heading, field in fields]


def _chart(rows: list[Row]) -> "Chart":
    import altair

    return altair.Chart(altair.InlineData(values=rows))
