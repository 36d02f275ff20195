"""The context view: for each model call a bar of what filled its prompt, so that one sees why prompts grow."""

from typing import Any

import streamlit as st

from agents.events import ModelRequest, ModelResponse
from agents.run import Run
from components.prompt_parts import prompt_parts
from components.texts import say

COLOURS = {
    "instructions": "#7a8194",
    "tools": "#2f7de1",
    "question": "#12a3a3",
    "trajectory": "#7c5cff",
    "plan": "#c98a00",
    "step": "#e0b400",
    "results": "#2b9a4b",
    "draft": "#5b6475",
    "feedback": "#e06c00",
    "history": "#a05cc5",
    "observation": "#2b9a4b",
    "thought": "#7c5cff",
    "fault": "#d64545",
    "max_steps": "#9aa3b5",
}
ROW_HEIGHT = 34
SURROUNDINGS = 150  # the legend, the axis and its title, which the height includes


def draw_context(run: Run) -> None:
    """An expander with the chart; it is computed only when somebody opens it."""
    opened = st.expander(
        say("context.title"), icon=":material/stacked_bar_chart:", key="context.open", on_change="rerun"
    )
    if opened.open:
        with opened:
            st.caption(say("context.explanation"))
            if rows := context_rows(run):
                st.altair_chart(_chart(rows), width="stretch")


def context_rows(run: Run) -> list[dict[str, Any]]:
    """One row for each part of each call's prompt: call (numbered), part, tokens.

    The server's own count of input tokens is shared out in proportion to the estimated tokens of the parts.
    """
    templates = run.started.templates if run.started else {}
    rows = []
    for number, (request, response) in enumerate(
        zip(run.of(ModelRequest), run.of(ModelResponse), strict=False), start=1
    ):
        parts = prompt_parts(request, templates)
        scale = response.usage.input_tokens / max(1, sum(parts.values()))
        rows += [{"call": number, "part": name, "tokens": round(tokens * scale)} for name, tokens in parts.items()]
    return rows


def _chart(rows: list[dict[str, Any]]) -> Any:
    import altair
    import pandas as pd

    named = [row | {"order": order, "label": say(f"context.{row['part']}")} for order, row in enumerate(rows)]
    parts = list(dict.fromkeys(str(row["part"]) for row in rows))
    colours = altair.Scale(domain=[say(f"context.{part}") for part in parts], range=[COLOURS[part] for part in parts])
    return (
        altair.Chart(pd.DataFrame(named))
        .mark_bar(height=ROW_HEIGHT - 12)
        .encode(
            x=altair.X("sum(tokens):Q", title=say("context.tokens")),
            y=altair.Y("call:O", title=say("context.call")),
            color=altair.Color("label:N", scale=colours, title=None, legend=altair.Legend(orient="top", columns=3)),
            order=altair.Order("order:Q"),
            tooltip=[altair.Tooltip("label:N", title=" "), altair.Tooltip("tokens:Q", title=say("context.tokens"))],
        )
        .properties(height=ROW_HEIGHT * max(int(row["call"]) for row in rows) + SURROUNDINGS)
        .configure_axis(labelFontSize=15, titleFontSize=15)
        .configure_legend(labelFontSize=15, symbolSize=180)
    )
