"""The comparison's figures, computed by hand from known events: table, spread, fair comparison and predictions."""

from dataclasses import replace
from datetime import date
from typing import get_args

import pytest

from agents import wording
from agents.direct import Direct
from agents.events import (
    Action,
    EndReason,
    Event,
    FinalAnswer,
    FormatSlip,
    ModelRequest,
    ModelResponse,
    Observation,
    RunEnded,
    RunStarted,
    Scalar,
    Stamped,
    StepStarted,
    Thought,
    Usage,
)
from agents.expected import ExpectedError
from agents.react import ReAct
from agents.run import Run
from agents.tools.toolbox import CALCULATOR, Toolbox
from components.comparison_table import (
    FIGURES,
    LaneFigures,
    as_csv,
    as_rows,
    best_and_worst,
    differences_between,
    lane_figures,
    lane_setup,
    table_texts,
)
from components.prediction import Score, score_prediction
from components.prices import Price, PriceTable
from components.spread import Range, spread
from components.texts import LANGUAGES
from tests.scripted_model import ScriptedModel

PRICES = PriceTable(date(2026, 5, 7), (Price("small", 2.0, 1.0, 10.0),))
STARTED = RunStarted("react", "How many?", "small", {}, {})


def response(usage: Usage, seconds: float, first: float | None) -> ModelResponse:
    return ModelResponse("text", "", usage, seconds, first, "stop")


def run_of(*events: tuple[float, Event]) -> Run:
    return Run([Stamped(at, event) for at, event in events])


REACT_RUN = run_of(
    (0.0, STARTED),
    (0.0, StepStarted(1, "react", "Step 1")),
    (0.1, ModelRequest("react", ())),
    (1.6, response(Usage(1_000, 100), 1.5, 0.4)),
    (1.6, FormatSlip("extra_text", "Text after the action was cut.", "more")),
    (1.6, Thought("I have to calculate.")),
    (1.6, Action("Calculator", "7 * 8")),
    (1.9, Observation("56", seconds=0.25)),
    (1.9, StepStarted(2, "react", "Step 2")),
    (2.0, ModelRequest("react", ())),
    (3.0, response(Usage(1_200, 50, cached_tokens=1_000, estimated=True), 1.0, 0.2)),
    (3.0, FinalAnswer("56 loaves")),
    (3.125, RunEnded("answered", "Answered.")),
)
REACT = LaneFigures(
    name="ReAct",
    steps=2,
    model_calls=2,
    tool_calls=1,
    format_slips=1,
    input_tokens=2_200,
    output_tokens=150,
    estimated=True,
    seconds=3.125,
    first_token_seconds=0.4,
    model_seconds=2.5,
    tool_seconds=0.25,
    cost=0.0049,  # (1,200 * 2 + 1,000 * 1 + 150 * 10) / 1,000,000
    reason="answered",
    answer="56 loaves",
    is_right=True,
)
DIRECT = LaneFigures("Direct", 1, 1, 0, 0, 100, 20, False, 1.0, 0.4, 0.9, 0.0, 0.0004, "answered", "48", False)
FAILED = LaneFigures("Plan", 1, 0, 0, 0, 0, 0, False, 0.2, None, 0.0, 0.0, None, "model_error", None, False)


def test_the_figures_of_a_run_are_those_of_its_events() -> None:
    assert lane_figures("ReAct", REACT_RUN, "56", PRICES) == REACT
    assert REACT.total_tokens == 2_350


def test_a_run_that_failed_before_its_first_reply() -> None:
    run = run_of((0.0, STARTED), (0.0, StepStarted(1, "plan", "Plan")), (0.2, RunEnded("model_error", "No.", "auth")))
    assert lane_figures("Plan", run, "56", PRICES) == FAILED


def test_a_run_that_goes_on_is_not_marked() -> None:
    run = Run(REACT_RUN.events[:8])
    figures = lane_figures("ReAct", run, "56", PRICES)
    assert (figures.reason, figures.is_right, figures.seconds, figures.input_tokens) == (None, None, 1.9, 1_000)


def test_a_run_without_events_has_no_figures() -> None:
    figures = lane_figures("ReAct", Run(), None, PRICES)
    assert (figures.seconds, figures.cost, figures.answer, figures.is_right) == (0.0, None, None, None)


def test_nothing_is_marked_where_nothing_is_expected() -> None:
    assert lane_figures("ReAct", REACT_RUN, "", PRICES).is_right is None


def test_a_pattern_that_is_none_is_told() -> None:
    with pytest.raises(ExpectedError):
        lane_figures("ReAct", REACT_RUN, "/(/", PRICES)


def test_an_unknown_model_has_no_cost() -> None:
    assert lane_figures("ReAct", REACT_RUN, "56", replace(PRICES, rows=())) == replace(REACT, cost=None)


def test_names_the_best_and_the_worst_of_each_column_that_differs() -> None:
    assert best_and_worst([REACT, DIRECT]) == {
        "is_right": (("ReAct",), ("Direct",)),
        "model_calls": (("Direct",), ("ReAct",)),
        "format_slips": (("Direct",), ("ReAct",)),
        "input_tokens": (("Direct",), ("ReAct",)),
        "output_tokens": (("Direct",), ("ReAct",)),
        "total_tokens": (("Direct",), ("ReAct",)),
        "seconds": (("Direct",), ("ReAct",)),
        "model_seconds": (("Direct",), ("ReAct",)),
        "cost": (("Direct",), ("ReAct",)),
    }


def test_a_lane_without_an_answer_is_never_best() -> None:
    found = best_and_worst([REACT, DIRECT, FAILED])
    assert found["seconds"] == (("Direct",), ("ReAct",))
    assert found["is_right"] == (("ReAct",), ("Direct", "Plan"))


def test_a_lane_without_an_answer_can_be_worst() -> None:
    slow = replace(FAILED, seconds=60.0)
    assert best_and_worst([REACT, DIRECT, slow])["seconds"] == (("Direct",), ("Plan",))


def test_where_only_one_lane_answered_it_is_not_both_best_and_worst() -> None:
    assert best_and_worst([DIRECT, FAILED]) == {}


def test_lanes_that_tie_are_all_named() -> None:
    found = best_and_worst([REACT, DIRECT, replace(DIRECT, name="Again", seconds=1.04)])
    assert found["seconds"] == (("Direct", "Again"), ("ReAct",))


@pytest.mark.parametrize(
    "figures", [[], [REACT], [REACT, replace(REACT, name="Again")], [REACT, replace(DIRECT, reason=None)]]
)
def test_nothing_is_best_where_nothing_differs(figures: list[LaneFigures]) -> None:
    assert best_and_worst(figures) == {}


def test_the_rows_hold_plain_numbers_under_headings() -> None:
    assert as_rows([REACT, FAILED], table_texts("en")) == [
        {
            "Agent": "ReAct",
            "Right": "right",
            "Answer": "56 loaves",
            "Steps": 2,
            "Model calls": 2,
            "Tool calls": 1,
            "Format slips": 1,
            "Tokens in": 2_200,
            "Tokens out": 150,
            "Tokens, total": 2_350,
            "Seconds": 3.125,
            "First token (s)": 0.4,
            "In the model (s)": 2.5,
            "In tools (s)": 0.25,
            "Cost (US$)": 0.0049,
            "Tokens estimated": "yes",
            "Why it ended": "answered",
        },
        {
            "Agent": "Plan",
            "Right": "wrong",
            "Answer": None,
            "Steps": 1,
            "Model calls": 0,
            "Tool calls": 0,
            "Format slips": 0,
            "Tokens in": 0,
            "Tokens out": 0,
            "Tokens, total": 0,
            "Seconds": 0.2,
            "First token (s)": None,
            "In the model (s)": 0.0,
            "In tools (s)": 0.0,
            "Cost (US$)": None,
            "Tokens estimated": "no",
            "Why it ended": "the model failed",
        },
    ]


def test_there_is_no_column_of_marks_where_nothing_is_expected() -> None:
    assert "Right" not in as_rows([replace(REACT, is_right=None)], table_texts("en"))[0]


@pytest.mark.parametrize("entry", wording.load("components.texts", "comparison_table"))
def test_every_text_of_the_table_is_there_in_both_languages(entry: str) -> None:
    assert set(wording.load("components.texts", "comparison_table")[entry]) == set(LANGUAGES)


@pytest.mark.parametrize("reason", get_args(EndReason))
def test_every_end_has_its_word(reason: EndReason) -> None:
    assert as_rows([replace(REACT, reason=reason)], table_texts("zh"))[0]["结束原因"]


def test_the_file_is_read_by_spreadsheets() -> None:
    rows = as_rows([replace(REACT, answer='56 "loaves",\nor 七')], table_texts("zh"))
    heading, *lines = as_csv(rows).split("\r\n")
    assert heading.startswith("\ufeff智能体,是否正确,答案,步数,")
    assert lines == [
        'ReAct,正确,"56 ""loaves"",\nor 七",2,2,1,1,2200,150,2350,3.125,0.4,2.5,0.25,0.0049,是,已回答',
        "",
    ]


@pytest.mark.parametrize(
    ("answer", "cell"),
    [("=HYPERLINK(1)", "'=HYPERLINK(1)"), ("@x", "'@x"), ("-5", "-5"), ("+1,5 %", "+1,5 %"), ("- five", "'- five")],
)
def test_an_answer_is_no_formula(answer: str, cell: str) -> None:
    assert as_csv([{"Answer": answer, "n": 1}]).split("\r\n")[1].replace('"', "") == f"{cell},1"


def test_the_spread_has_medians_and_ranges() -> None:
    runs = [
        replace(REACT, seconds=3.0, answer="56 loaves"),
        replace(REACT, seconds=1.0, answer="56  Loaves.", cost=None, estimated=False),
        replace(REACT, seconds=2.0, answer="48", is_right=False),
        replace(FAILED, name="ReAct", seconds=6.0),
        replace(REACT, seconds=90.0, reason="stopped", answer=None),
        replace(REACT, seconds=0.5, reason=None, answer=None),
    ]
    found = spread("ReAct", runs)
    assert (found.runs, found.answered, found.right, found.estimated) == (4, 3, 2, True)
    assert found.ranges["seconds"] == Range(2.5, 1.0, 6.0)
    assert found.ranges["cost"] == Range(0.0049, 0.0049, 0.0049)
    assert found.ranges["total_tokens"] == Range(2_350, 0, 2_350)
    assert set(found.ranges) == set(FIGURES)
    assert found.answers == (("56 loaves", 2), ("48", 1))
    assert found.majority == "56 loaves"


def test_two_answers_as_frequent_make_no_majority() -> None:
    assert spread("ReAct", [REACT, replace(REACT, answer="48")]).majority is None


def test_a_spread_of_nothing_is_empty() -> None:
    found = spread("ReAct", [])
    assert (found.runs, found.right, found.ranges, found.answers, found.majority) == (0, None, {}, (), None)


def test_the_setup_of_a_lane_is_that_of_its_agent() -> None:
    react = ReAct(ScriptedModel(), Toolbox([CALCULATOR], "en"), max_steps=4)
    direct = Direct(ScriptedModel())
    setups = [
        lane_setup(react.start("Q"), "edited"),
        lane_setup(direct.start("Q"), "Default"),
    ]
    assert setups[0] == {
        "model": "scripted",
        "tools": "Calculator",
        "prompts": "edited",
        "temperature": 0.0,
        "max_tokens": 1024,
        "token_budget": 100_000,
        "max_steps": 4,
        "closes": True,
        "sends_stop": True,
        "keeps_thoughts": True,
    }
    assert differences_between(setups) == ["tools", "prompts"]


@pytest.mark.parametrize(
    ("second", "different"),
    [
        ({"model": "a", "temperature": 0.0}, []),
        ({"model": "b", "temperature": 0.5}, ["model", "temperature"]),
        ({"model": "a", "max_rounds": 3}, []),
    ],
)
def test_names_the_settings_that_differ(second: dict[str, Scalar], different: list[str]) -> None:
    assert differences_between([{"model": "a", "temperature": 0.0, "max_steps": 6}, second]) == different


def test_a_prediction_is_scored_against_what_happened() -> None:
    scores = score_prediction({"right": "ReAct", "cheapest": "ReAct", "fastest": "Direct"}, [REACT, DIRECT, FAILED])
    assert scores == {
        "right": Score("ReAct", ("ReAct",), "is_right", True),
        "cheapest": Score("ReAct", ("Direct",), "cost", False),
        "fastest": Score("Direct", ("Direct",), "seconds", True),
    }


@pytest.mark.parametrize("cost", [None, 0.0])
def test_the_cheapest_is_told_by_tokens_where_there_are_no_costs(cost: float | None) -> None:
    lanes = [replace(REACT, cost=cost), replace(DIRECT, cost=cost)]
    assert score_prediction({"cheapest": "Direct"}, lanes)["cheapest"] == Score(
        "Direct", ("Direct",), "total_tokens", True
    )


def test_any_lane_that_ties_is_a_hit() -> None:
    scores = score_prediction({"fastest": "Again"}, [DIRECT, replace(DIRECT, name="Again", seconds=1.02)])
    assert scores["fastest"] == Score("Again", ("Direct", "Again"), "seconds", True)


def test_what_cannot_be_said_is_neither_hit_nor_miss() -> None:
    scores = score_prediction({"right": "Plan", "fastest": "Plan"}, [replace(FAILED, is_right=None)])
    assert [score.is_hit for score in scores.values()] == [None, None, None]


def test_a_guess_misses_where_nobody_is_right() -> None:
    assert score_prediction({"right": "Plan"}, [FAILED])["right"] == Score("Plan", (), "is_right", False)
