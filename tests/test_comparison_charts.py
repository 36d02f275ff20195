"""The rows of the comparison's charts, computed by hand from known events, and what is drawn from them."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from streamlit.dataframe_util import convert_arrow_bytes_to_pandas_df
from streamlit.testing.v1 import AppTest

from agents.events import (
    Action,
    Event,
    FinalAnswer,
    Message,
    ModelRequest,
    ModelResponse,
    Observation,
    RunEnded,
    RunStarted,
    Stamped,
    StepStarted,
    Thought,
    Usage,
)
from agents.run import Run
from components.chart_rows import Row, lane_rows, outcome_of, timeline_rows, token_rows

STARTED = RunStarted("react", "How tall?", "scripted", {}, {})
REQUEST = ModelRequest("react", (Message("user", "How tall?"),))
REACT = Run(
    [
        Stamped(0.0, STARTED),
        Stamped(0.1, StepStarted(1, "react", "Step 1")),
        Stamped(0.1, REQUEST),
        Stamped(1.1, ModelResponse("…", "", Usage(100, 20), 1.0, 0.5, "stop")),
        Stamped(1.1, Thought("Look it up.")),
        Stamped(1.2, Action("Search", "height of\nTower A")),
        Stamped(1.7, Observation("300 m", seconds=0.5)),
        Stamped(1.8, StepStarted(2, "react", "Step 2")),
        Stamped(1.8, REQUEST),
        Stamped(2.8, ModelResponse("…", "", Usage(150, 10, estimated=True), 1.0, 0.5, "stop")),
        Stamped(2.9, FinalAnswer("300 m")),
        Stamped(3.0, RunEnded("answered", "Answered.")),
    ]
)
FAILED = Run(
    [
        Stamped(0.0, STARTED),
        Stamped(0.0, StepStarted(1, "answer", "Answer")),
        Stamped(0.0, REQUEST),
        Stamped(2.0, RunEnded("model_error", "The key was refused.", "auth", "Check the key.")),
    ]
)
EMPTY = Run()
LANES = {"ReAct": REACT, "Direct": FAILED, "Reflection": EMPTY}


def columns(rows: list[Row], *names: str) -> list[tuple[Any, ...]]:
    return [tuple(row[name] for name in names) for row in rows]


def run_of(*events: Event) -> Run:
    return Run([Stamped(float(second), event) for second, event in enumerate(events)])


def test_each_call_has_its_input_and_output_end_to_end() -> None:
    assert columns(token_rows(LANES), "lane", "call", "step", "part", "begin", "end") == [
        ("ReAct", 1, 1, "input", 0, 100),
        ("ReAct", 1, 1, "output", 100, 120),
        ("ReAct", 2, 2, "input", 120, 270),
        ("ReAct", 2, 2, "output", 270, 280),
    ]


def test_only_the_call_that_was_counted_from_its_text_is_estimated() -> None:
    assert columns(token_rows(LANES), "tokens", "estimated") == [(100, False), (20, False), (150, True), (10, True)]


def test_calls_are_counted_through_a_step_that_asks_twice() -> None:
    response = ModelResponse("", "", Usage(7, 3), 1.0, None, "stop")
    run = run_of(STARTED, StepStarted(1, "plan", "Plan"), REQUEST, response, REQUEST, response)
    assert columns(token_rows({"": run}), "call", "step", "end") == [(1, 1, 7), (1, 1, 10), (2, 1, 17), (2, 1, 20)]


def test_a_call_that_is_going_on_has_no_tokens_yet() -> None:
    assert token_rows({"": run_of(STARTED, StepStarted(1, "plan", "Plan"), REQUEST)}) == []


def test_a_step_is_a_stretch_of_the_model_and_one_of_the_tool() -> None:
    assert columns(timeline_rows({"ReAct": REACT}), "step", "role", "begin", "end") == [
        (1, "thought", 0.1, 1.2),
        (1, "action", 1.2, 1.8),
        (2, "thought", 1.8, 3.0),
    ]


def test_a_stretch_tells_its_title_and_tokens() -> None:
    assert columns(timeline_rows({"ReAct": REACT}), "title", "input_tokens", "output_tokens", "estimated") == [
        ("Step 1", 100, 20, False),
        ("Search[height of Tower A]", 0, 0, False),
        ("Step 2", 150, 10, True),
    ]


def test_a_failed_step_lasts_until_the_run_ends() -> None:
    assert columns(timeline_rows(LANES)[-1:], "lane", "row", "role", "begin", "end") == [
        ("Direct", 1, "answer", 0.0, 2.0)
    ]


def test_a_step_that_is_going_on_lasts_until_the_latest_event() -> None:
    run = run_of(STARTED, StepStarted(1, "draft", "Write"), REQUEST)
    assert columns(timeline_rows({"": run}), "role", "begin", "end") == [("draft", 1.0, 2.0)]


def test_the_model_goes_on_after_a_tool_in_the_same_step() -> None:
    call = Action("Search", "a"), Observation("b")
    run = run_of(STARTED, StepStarted(1, "execute", "Find a"), REQUEST, *call, REQUEST, RunEnded("stopped", "Stopped."))
    assert columns(timeline_rows({"": run}), "role", "title", "begin", "end") == [
        ("step", "Find a", 1.0, 3.0),
        ("action", "Search[a]", 3.0, 5.0),
        ("step", "Find a", 5.0, 6.0),
    ]


@pytest.mark.parametrize("lanes", [{}, {"a": EMPTY}, {"a": run_of(STARTED)}])
def test_lanes_without_a_step_have_no_rows(lanes: Mapping[str, Run]) -> None:
    assert (token_rows(lanes), timeline_rows(lanes)) == ([], [])


def test_every_lane_has_its_totals() -> None:
    names = ("lane", "row", "calls", "input_tokens", "output_tokens", "tokens", "estimated", "seconds", "outcome")
    assert columns(lane_rows(LANES), *names) == [
        ("ReAct", 0, 2, 250, 30, 280, True, 3.0, "answered"),
        ("Direct", 1, 0, 0, 0, 0, False, 2.0, "failed"),
        ("Reflection", 2, 0, 0, 0, 0, False, 0.0, "not_started"),
    ]


@pytest.mark.parametrize(
    ("events", "outcome"),
    [
        ([STARTED], "unfinished"),
        ([STARTED, FinalAnswer("1"), RunEnded("approved", "")], "answered"),
        ([STARTED, FinalAnswer("1"), RunEnded("step_limit", "")], "answered"),
        ([STARTED, RunEnded("step_limit", "")], "no_answer"),
        ([STARTED, RunEnded("no_plan", "")], "no_answer"),
        ([STARTED, RunEnded("stopped", "")], "stopped"),
        ([STARTED, RunEnded("model_error", "")], "failed"),
    ],
)
def test_the_outcome_is_told_in_a_word(events: list[Event], outcome: str) -> None:
    assert outcome_of(run_of(*events)) == outcome


def page() -> None:
    import streamlit as st

    from components.comparison_charts import draw_timeline, draw_tokens_chart

    draw_tokens_chart(st.session_state["lanes"])
    draw_timeline(st.session_state["lanes"])


def drawn(lanes: Mapping[str, Run], language: str = "en") -> AppTest:
    app = AppTest.from_function(page)
    app.session_state["lanes"] = dict(lanes)
    app.session_state["language"] = language
    return app.run()


def spec(app: AppTest, number: int) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(app.get("vega_lite_chart")[number].proto.spec)
    return loaded


def words(app: AppTest, number: int) -> list[str]:
    """The texts at the ends of a chart's bars: the rows of its last layer."""
    name = spec(app, number)["layer"][-1]["data"]["name"]
    datasets = {dataset.name: dataset.data.data for dataset in app.get("vega_lite_chart")[number].proto.datasets}
    return list(convert_arrow_bytes_to_pandas_df(datasets[name])["text"])


def test_the_total_stands_at_the_end_with_how_sure_it_is() -> None:
    assert words(drawn(LANES), 0) == ["≈ 280", "0", "✕ failed", "0"]


@pytest.mark.parametrize(
    ("language", "ends"),
    [
        ("en", ["✓ answered", "3.0 s", "✕ failed", "2.0 s", "– not started"]),
        ("zh", ["✓ 已回答", "3.0 秒", "✕ 失败", "2.0 秒", "– 未开始"]),
    ],
)
def test_each_lane_ends_with_what_came_of_it(language: str, ends: list[str]) -> None:
    assert words(drawn(LANES, language), 1) == ends


def test_roles_have_their_colours_in_the_legend() -> None:
    scale = spec(drawn(LANES), 1)["layer"][0]["encoding"]["color"]["scale"]
    assert scale == {"domain": ["Thought", "Action", "Answer"], "range": ["#8957e5", "#1f72d6", "#4a6ae0"]}


def test_roles_of_one_colour_share_their_place_in_the_legend() -> None:
    run = run_of(STARTED, StepStarted(1, "plan", "Plan"), StepStarted(2, "execute", "Find a"))
    assert spec(drawn({"": run}), 0)["layer"][0]["encoding"]["color"]["scale"]["domain"] == ["Plan · Step"]


@pytest.mark.parametrize("number", [0, 1])
def test_axes_and_legends_are_large(number: int) -> None:
    config = spec(drawn(LANES), number)["config"]
    assert min(config["axis"]["labelFontSize"], config["legend"]["labelFontSize"]) >= 15


def test_a_caption_says_how_to_read_each_chart() -> None:
    tokens, timeline = (caption.value for caption in drawn(LANES).markdown)
    assert "outlined is what was sent" in tokens
    assert "≈ is an estimate" in tokens
    assert "thick blocks are the model" in timeline


def test_exact_counts_are_not_called_estimated() -> None:
    exact = Run(REACT.events[:7])
    assert "≈" not in drawn({"ReAct": exact}).markdown[0].value


def test_lanes_without_a_call_get_a_sentence_instead_of_charts() -> None:
    app = drawn({"ReAct": EMPTY})
    assert [caption.value[:11] for caption in app.caption] == ["No model ca", "No step yet"]
    assert not app.get("vega_lite_chart")


@pytest.mark.parametrize("run", [REACT, FAILED], ids=["answered", "failed"])
def test_runs_that_are_going_on_are_drawn_at_every_event(run: Run) -> None:
    apps = [drawn({"ReAct": Run(run.events[:end])}) for end in range(len(run.events) + 1)]
    assert not [app.exception for app in apps if app.exception]
