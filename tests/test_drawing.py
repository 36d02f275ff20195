"""Whole pages while a run is drawn: whatever they send at once has to reach the browser whole."""

from collections.abc import Callable
from functools import partial

import pytest
from streamlit.testing.v1 import AppTest

from agents.models.demo import DemoModel
from tests.app_under_test import click, open_page
from tests.browser_tree import assert_drawn_whole, recorded_scripts


@pytest.fixture(autouse=True)
def drawn_often(nothing_is_set: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The demo model pauses just long enough for each of its steps to be drawn while it goes on."""
    monkeypatch.setattr("components.connection.DemoModel", partial(DemoModel, 2000.0, 0.01))
    monkeypatch.setattr("components.run_view.TICK", 0.0)


def a_react_run() -> AppTest:
    return click(open_page("react"), "react.start")


def a_plan() -> AppTest:
    return click(open_page("plan_and_solve"), "plan_and_solve.start")


def a_reflection() -> AppTest:
    return click(open_page("reflection"), "reflection.start")


def a_comparison() -> AppTest:
    return click(open_page("compare"), "compare.start")


def three_times() -> AppTest:
    app = open_page("compare")
    app.number_input(key="compare.times").set_value(3).run()
    return click(app, "compare.start")


def an_experiment() -> AppTest:
    return click(click(open_page("prompt_lab"), "prompt_lab.ablation.thoughts"), "prompt_lab.start")


def a_fork() -> AppTest:
    return click(click(a_react_run(), "react.what_if.1"), "react.what_if.go_on")


@pytest.mark.parametrize("drawn", [a_react_run, a_plan, a_reflection, a_comparison, three_times, an_experiment, a_fork])
def test_a_live_page_reaches_the_browser_whole(drawn: Callable[[], AppTest]) -> None:
    with recorded_scripts() as scripts:
        app = drawn()
    assert not app.exception
    for script in scripts:
        assert_drawn_whole(script, times=5)
