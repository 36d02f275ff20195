"""What if …?, as far as AppTest can see it: a step is changed in the dialog, and the fork stands by the original."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from agents.events import Language, Part
from agents.run import Run
from components.comparison_run import ComparisonRun
from components.live_run import LiveRun
from tests.app_under_test import (
    buttons,
    click,
    drawn_html,
    labels,
    open_page,
    run_and_look,
    switch_language,
    text,
    visit,
    words,
)
from tests.sse_server import Answer, SSEServer, answering, text_chunk

pytestmark = pytest.mark.usefixtures("nothing_is_set")

SUM = "Thought: a sum\nAction: Calculator[2+3]"
TWICE = "Thought: twice that\nAction: Calculator[5*2]"
FIVE = "Thought: so\nAction: Finish[5]"
TEN = "Thought: done\nAction: Finish[10]"
REVISE = "More.\nVerdict: REVISE"
APPROVED = "Good.\nVerdict: APPROVED"
SCRIPTS = {
    "react": (SUM, FIVE),
    "plan_and_solve": ('["Find A", "Find B"]', "1", "2", "Both."),
    "reflection": ("one cat", REVISE, "two cats", APPROVED),
}
POISONS = ("wrong_fact", "nothing_found", "orders")


def finished(server: SSEServer, name: str, *replies: str) -> AppTest:
    """The page of this paradigm after a run with these replies, or else those of its script."""
    server.answer(*answering(*(replies or SCRIPTS[name])))
    return run_and_look(open_page(name), f"{name}.start")


def on_react(server: SSEServer) -> AppTest:
    return finished(server, "react")


def on_compare(server: SSEServer) -> AppTest:
    server.answer(*answering(*SCRIPTS["react"]))
    app = open_page("compare")
    app.pills(key="compare.agents").set_value(["react"]).run()
    return run_and_look(app, "compare.start")


def in_the_lab(server: SSEServer) -> AppTest:
    server.answer(*answering(*SCRIPTS["react"], *SCRIPTS["react"]))
    app = open_page("prompt_lab")
    app.segmented_control(key="prompt_lab.order").set_value("in_turn").run()
    return run_and_look(click(app, "prompt_lab.ablation.stop"), "prompt_lab.start")


everywhere = pytest.mark.parametrize(
    ("open_it", "page", "lane"),
    [
        pytest.param(on_react, "react", "react", id="paradigm"),
        pytest.param(on_compare, "compare", "compare.react", id="compare"),
        pytest.param(in_the_lab, "prompt_lab", "prompt_lab.b", id="prompt lab"),
    ],
)
Open = Callable[[SSEServer], AppTest]


def write(app: AppTest, page: str, lane: str, step: int, part: Part, changed: str) -> AppTest:
    """The app with the dialog open, and this text in the place of the step's part."""
    click(app, f"{lane}.what_if.{step}")
    app.segmented_control(key=f"{page}.what_if.part").set_value(part).run()
    app.text_area(key=f"{page}.what_if.text.{part}").set_value(changed).run()
    return app


def go_on(app: AppTest, page: str, server: SSEServer, *later: str) -> AppTest:
    """The app after the fork has come to its end with these replies."""
    server.answer(*answering(*later))
    return run_and_look(app, f"{page}.what_if.go_on")


def fork_of(app: AppTest, page: str = "react") -> dict[str, Run]:
    fork: ComparisonRun = app.session_state[f"{page}.fork"]
    return {job.lane: run for job, run in fork.runs.items()}


def answers(app: AppTest, page: str = "react") -> dict[str, str | None]:
    return {lane: run.answer for lane, run in fork_of(app, page).items()}


def row(app: AppTest, figure: str) -> list[object]:
    """The row of the table of outcomes that begins with this word."""
    return next(cells for cells in app.table[0].value.to_numpy().tolist() if cells[0] == figure)


def dialog_is_open(app: AppTest, page: str = "react") -> bool:
    return f"{page}.what_if.go_on" in buttons(app)


def what_ifs(app: AppTest) -> set[str]:
    return {key for key in buttons(app) if re.search(r"what_if\.\d+$", key)}


def wait_for_the_run(page: str) -> None:
    """Stands in for something on the page that takes as long as the runs."""
    import streamlit as st

    run: LiveRun | ComparisonRun | None = st.session_state.get(f"{page}.fork") or st.session_state.get(f"{page}.run")
    assert run is None or run.wait(10) is None


# The dialog


@pytest.mark.parametrize(
    ("name", "steps"), [("react", {1, 2}), ("plan_and_solve", {1, 2, 3}), ("reflection", {1, 2, 3, 4})]
)
def test_every_finished_step_that_can_be_changed_offers_it(app_server: SSEServer, name: str, steps: set[int]) -> None:
    assert what_ifs(finished(app_server, name)) == {f"{name}.what_if.{step}" for step in steps}


def test_the_lanes_of_a_comparison_offer_it_but_not_where_there_is_nothing_to_change(app_server: SSEServer) -> None:
    app_server.answer(*answering("42", *SCRIPTS["react"]))
    app = open_page("compare")
    app.pills(key="compare.agents").set_value(["direct", "react"]).run()
    app.segmented_control(key="compare.order").set_value("in_turn").run()
    assert what_ifs(run_and_look(app, "compare.start")) == {"compare.react.what_if.1", "compare.react.what_if.2"}


def test_the_lanes_of_the_lab_offer_it(app_server: SSEServer) -> None:
    lanes = {"prompt_lab.a.what_if.1", "prompt_lab.a.what_if.2", "prompt_lab.b.what_if.1", "prompt_lab.b.what_if.2"}
    assert what_ifs(in_the_lab(app_server)) == lanes


def test_what_came_before_a_failure_can_still_be_changed(app_server: SSEServer) -> None:
    app_server.answer(*answering(SUM), Answer(401, "application/json", '{"error": {"message": "Incorrect API key"}}'))
    app = run_and_look(open_page("react"), "react.start")
    write(app, "react", "react", 1, "observation", "500")
    assert answers(go_on(app, "react", app_server, "Action: Finish[500]")) == {"original": None, "fork": "500"}


@everywhere
def test_it_opens_and_cancel_closes_it(app_server: SSEServer, open_it: Open, page: str, lane: str) -> None:
    app = click(open_it(app_server), f"{lane}.what_if.1")
    assert not app.exception
    assert dialog_is_open(app, page)
    assert not dialog_is_open(click(app, f"{page}.what_if.cancel"), page)
    assert f"{page}.fork" not in app.session_state


@pytest.mark.parametrize(
    ("name", "step", "part", "before"),
    [
        ("react", 1, "observation", "5"),
        ("react", 1, "thought", "a sum"),
        ("react", 2, "thought", "so"),
        ("plan_and_solve", 1, "plan", "Find A\nFind B"),
        ("plan_and_solve", 2, "result", "1"),
        ("reflection", 1, "draft", "one cat"),
        ("reflection", 2, "feedback", REVISE),
    ],
)
def test_the_box_begins_with_the_text_as_it_was_and_unchanged_it_starts_nothing(
    app_server: SSEServer, name: str, step: int, part: Part, before: str
) -> None:
    app = click(finished(app_server, name), f"{name}.what_if.{step}")
    app.segmented_control(key=f"{name}.what_if.part").set_value(part).run()
    assert app.text_area(key=f"{name}.what_if.text.{part}").value == before
    assert text(f"what_if.about_{part}") in words(app)
    click(app, f"{name}.what_if.go_on")
    assert [error.value for error in app.error] == [text("what_if.error_unchanged")]
    assert f"{name}.fork" not in app.session_state


def test_a_text_that_is_changed_and_changed_back_starts_nothing(app_server: SSEServer) -> None:
    app = write(finished(app_server, "react"), "react", "react", 1, "observation", "500")
    app.text_area(key="react.what_if.text.observation").set_value("5").run()
    click(app, "react.what_if.go_on")
    assert [error.value for error in app.error] == [text("what_if.error_unchanged")]
    assert "react.fork" not in app.session_state


def test_a_dialog_that_was_cancelled_opens_with_the_text_as_it_was(app_server: SSEServer) -> None:
    app = write(finished(app_server, "react"), "react", "react", 1, "observation", "500")
    click(click(app, "react.what_if.cancel"), "react.what_if.1")
    assert app.text_area(key="react.what_if.text.observation").value == "5"


def test_looking_at_another_part_loses_nothing_that_was_typed(app_server: SSEServer) -> None:
    app = write(finished(app_server, "react"), "react", "react", 1, "observation", "500")
    app.segmented_control(key="react.what_if.part").set_value("thought").run()
    app.segmented_control(key="react.what_if.part").set_value("observation").run()
    assert app.text_area(key="react.what_if.text.observation").value == "500"


def test_another_step_brings_its_own_text(app_server: SSEServer) -> None:
    app = write(finished(app_server, "react", SUM, TWICE, TEN), "react", "react", 1, "observation", "500")
    click(click(app, "react.what_if.cancel"), "react.what_if.2")
    assert app.text_area(key="react.what_if.text.observation").value == "10"


def test_the_same_step_of_another_run_brings_its_own_text(app_server: SSEServer) -> None:
    app = write(finished(app_server, "react"), "react", "react", 1, "observation", "500")
    click(app, "react.what_if.cancel")
    app_server.answer(*answering("Action: Calculator[3*3]", "Action: Finish[9]"))
    click(run_and_look(app, "react.start"), "react.what_if.1")
    assert app.text_area(key="react.what_if.text.observation").value == "9"


# Poison


def poisoned(lang: Language, poison: str) -> str:
    """What this poison makes of the first observation of the demo model's first sample."""
    app = run_and_look(open_page("react", lang=lang), "react.start")
    click(click(app, "react.what_if.1"), f"react.what_if.{poison}")
    assert not app.exception
    return str(app.text_area(key="react.what_if.text.observation").value)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_wrong_fact_has_other_numbers(lang: Language) -> None:
    found = poisoned(lang, "wrong_fact")
    assert "495" in found
    assert "330" not in found


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_an_empty_result_empties_the_box(lang: Language) -> None:
    assert poisoned(lang, "nothing_found") == ""


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_orders_stand_behind_what_was_found(lang: Language) -> None:
    found = poisoned(lang, "orders")
    assert "330" in found
    assert found.endswith(text("what_if.orders_text", lang))


@pytest.mark.parametrize("poison", POISONS)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_poisoned_run_goes_on_to_its_end_on_the_demo_model(lang: Language, poison: str) -> None:
    app = run_and_look(open_page("react", lang=lang), "react.start")
    click(click(app, "react.what_if.1"), f"react.what_if.{poison}")
    run_and_look(app, "react.what_if.go_on")
    assert not app.exception
    assert fork_of(app)["fork"].reason in ("answered", "step_limit")


def test_poison_is_offered_for_observations_alone(app_server: SSEServer) -> None:
    app = finished(app_server, "react")
    assert "react.what_if.orders" in buttons(click(app, "react.what_if.1"))
    app.segmented_control(key="react.what_if.part").set_value("thought").run()
    assert "react.what_if.orders" not in buttons(app)


def test_an_empty_observation_is_told_to_the_model_as_nothing_returned(app_server: SSEServer) -> None:
    app = click(click(finished(app_server, "react"), "react.what_if.1"), "react.what_if.nothing_found")
    go_on(app, "react", app_server, "Action: Finish[nothing]")
    assert "returned nothing" in str(app_server.bodies[-1]["messages"][-1]["content"])


# The fork


@pytest.mark.parametrize(
    ("name", "step", "part", "changed", "later", "answer"),
    [
        ("react", 1, "observation", "500", ["Action: Finish[500]"], "500"),
        ("react", 1, "thought", "I know it.", ["Action: Finish[7]"], "7"),
        ("react", 2, "thought", "No.", ["Action: Finish[8]"], "8"),
        ("plan_and_solve", 1, "plan", "Find A", ["1", "A."], "A."),
        ("plan_and_solve", 2, "result", "eleven", ["2", "Eleven and two."], "Eleven and two."),
        ("plan_and_solve", 3, "result", "twelve", ["One and twelve."], "One and twelve."),
        ("reflection", 1, "draft", "ten cats", [APPROVED], "ten cats"),
        ("reflection", 2, "feedback", "Fewer.\nVerdict: REVISE", ["no cat", APPROVED], "no cat"),
        ("reflection", 3, "draft", "a dog", [APPROVED], "a dog"),
    ],
)
def test_what_was_before_the_change_costs_no_request_and_the_rest_is_asked_for(
    app_server: SSEServer, name: str, step: int, part: Part, changed: str, later: list[str], answer: str
) -> None:
    app = finished(app_server, name)
    original = app.session_state[f"{name}.run"].run.answer
    go_on(write(app, name, name, step, part, changed), name, app_server, *later)
    assert not app.exception
    assert len(app_server.exchanges) == len(SCRIPTS[name]) + len(later)
    assert answers(app, name) == {"original": original, "fork": answer}


@everywhere
def test_the_fork_stands_beside_the_original_with_what_was_changed_and_by_whom(
    app_server: SSEServer, open_it: Open, page: str, lane: str
) -> None:
    app = write(open_it(app_server), page, lane, 1, "observation", "500")
    app.text_input(key=f"{page}.what_if.by").set_value("Ada").run()
    go_on(app, page, app_server, "Action: Finish[500]")
    assert not app.exception
    assert not dialog_is_open(app, page)
    assert answers(app, page) == {"original": "5", "fork": "500"}
    badge = text("what_if.changed_observation", by="Ada")
    assert len([label for label in labels(app) if badge in label]) == 1
    assert badge in words(app)
    assert any(re.search(r"<del[^>]*>5</del>.*<ins[^>]*>500</ins>", html) for html in drawn_html(app))
    assert text("what_if.taken_over", step="1") in words(app)


@everywhere
def test_what_the_change_did_is_said_and_put_into_a_table(
    app_server: SSEServer, open_it: Open, page: str, lane: str
) -> None:
    app = write(open_it(app_server), page, lane, 1, "observation", "500")
    go_on(app, page, app_server, "Action: Finish[500]")
    assert list(app.table[0].value.columns)[1:3] == [text("what_if.original"), text("what_if.fork")]
    sentences = [str(part.value) for part in app.markdown if str(part.value).startswith("#### ")]
    names = [text("what_if.original_in_a_sentence"), text("what_if.fork_in_a_sentence")]
    assert any(names[0] in said.lower() and names[1] in said.lower() for said in sentences)


@everywhere
def test_back_returns_to_the_run(app_server: SSEServer, open_it: Open, page: str, lane: str) -> None:
    app = write(open_it(app_server), page, lane, 1, "observation", "500")
    click(go_on(app, page, app_server, "Action: Finish[500]"), f"{page}.fork.back")
    assert not app.exception
    assert f"{page}.fork" not in app.session_state
    assert f"{lane}.what_if.1" in what_ifs(app)
    assert "500" not in words(app)


@everywhere
def test_run_closes_the_fork(app_server: SSEServer, open_it: Open, page: str, lane: str) -> None:
    app = write(open_it(app_server), page, lane, 1, "observation", "500")
    go_on(app, page, app_server, "Action: Finish[500]")
    app_server.answer(*answering("Action: Finish[9]", "Action: Finish[9]"))
    run_and_look(app, f"{page}.start")
    assert not app.exception
    assert f"{page}.fork" not in app.session_state
    assert "9" in words(app)


@everywhere
def test_a_fork_can_be_forked(app_server: SSEServer, open_it: Open, page: str, lane: str) -> None:
    app = write(open_it(app_server), page, lane, 1, "observation", "500")
    go_on(app, page, app_server, "Thought: twice\nAction: Calculator[500*2]", "Action: Finish[1000]")
    write(app, page, f"{page}.fork", 2, "observation", "1001")
    before = len(app_server.exchanges)
    go_on(app, page, app_server, "Action: Finish[1001]")
    assert not app.exception
    assert answers(app, page) == {"original": "1000", "fork": "1001"}
    assert len(app_server.exchanges) == before + 1
    started = fork_of(app, page)["fork"].started
    assert started is not None
    assert [(change.step, change.after) for change in started.changes] == [(1, "500"), (2, "1001")]


def test_the_original_can_be_forked_again_beside_its_fork(app_server: SSEServer) -> None:
    app = write(finished(app_server, "react"), "react", "react", 1, "observation", "500")
    go_on(app, "react", app_server, "Action: Finish[500]")
    write(app, "react", "react.original", 1, "observation", "600")
    assert answers(go_on(app, "react", app_server, "Action: Finish[600]")) == {"original": "5", "fork": "600"}


def test_a_fork_keeps_the_switches_and_prompts_of_its_run(app_server: SSEServer) -> None:
    app = in_the_lab(app_server)
    app.toggle(key="prompt_lab.react.b.sends_stop").set_value(True).run()
    app.text_area(key="prompt.react.b.react.en").set_value("CHANGED LATER {question}").run()
    write(app, "prompt_lab", "prompt_lab.b", 1, "observation", "500")
    go_on(app, "prompt_lab", app_server, "Action: Finish[500]")
    assert "stop" not in app_server.bodies[-1]
    assert app_server.bodies[-1]["messages"][0] == app_server.bodies[2]["messages"][0]


def test_the_model_is_shown_what_was_put_there(app_server: SSEServer) -> None:
    app = write(finished(app_server, "react"), "react", "react", 1, "observation", "five hundred")
    go_on(app, "react", app_server, "Action: Finish[500]")
    messages: list[dict[str, Any]] = app_server.bodies[-1]["messages"]
    assert "five hundred" in messages[-1]["content"]
    assert messages[1]["content"] == SUM


def test_without_a_name_it_was_a_person(app_server: SSEServer) -> None:
    app = write(finished(app_server, "react"), "react", "react", 1, "observation", "500")
    go_on(app, "react", app_server, "Action: Finish[500]")
    assert text("what_if.changed_observation", by=text("what_if.a_person")) in words(app)


def test_the_name_is_asked_for_anew_with_every_change(app_server: SSEServer) -> None:
    app = write(finished(app_server, "react"), "react", "react", 1, "observation", "500")
    app.text_input(key="react.what_if.by").set_value("Ada").run()
    go_on(app, "react", app_server, "Action: Finish[500]")
    click(app, "react.fork.what_if.1")
    assert app.text_input(key="react.what_if.by").value == ""


def test_a_name_with_marks_in_it_is_shown_as_text(app_server: SSEServer) -> None:
    app = write(finished(app_server, "react"), "react", "react", 1, "observation", "<b>500</b>")
    app.text_input(key="react.what_if.by").set_value("![x](https://evil.example/p) :smile: *A*").run()
    go_on(app, "react", app_server, "Action: Finish[500]")
    assert "![x](https" not in "\n".join([*labels(app), *(str(part.value) for part in app.markdown)])
    assert "<b>500</b>" not in "\n".join(drawn_html(app))


def test_the_expected_answer_marks_the_fork_too(app_server: SSEServer) -> None:
    app_server.answer(*answering(*SCRIPTS["react"]))
    app = open_page("compare")
    app.pills(key="compare.agents").set_value(["react"]).run()
    app.text_input(key="compare.expected").set_value("500").run()
    run_and_look(app, "compare.start")
    write(app, "compare", "compare.react", 1, "observation", "500")
    go_on(app, "compare", app_server, "Action: Finish[500]")
    assert row(app, "Right")[1:3] == ["wrong", "right"]


def test_a_fork_goes_on_in_the_language_of_its_run_on_a_page_in_the_other_one(app_server: SSEServer) -> None:
    app = switch_language(finished(app_server, "react"), "zh")
    write(app, "react", "react", 1, "observation", "500")
    go_on(app, "react", app_server, "Action: Finish[500]")
    assert not app.exception
    started = fork_of(app)["fork"].started
    assert started is not None
    assert started.settings["language"] == "en"
    assert text("what_if.changed_observation", "zh", by=text("what_if.a_person", "zh")) in words(app)
    assert app_server.bodies[-1]["messages"][0] == app_server.bodies[0]["messages"][0]


def test_a_fork_stays_when_the_language_is_switched(app_server: SSEServer) -> None:
    app = write(finished(app_server, "react"), "react", "react", 1, "observation", "500")
    switch_language(go_on(app, "react", app_server, "Action: Finish[500]"), "zh")
    assert not app.exception
    assert text("what_if.fork", "zh") in words(app)


def test_both_lanes_are_described_in_the_language_that_is_switched_to(app_server: SSEServer) -> None:
    app = write(finished(app_server, "react"), "react", "react", 1, "observation", "500")
    switch_language(go_on(app, "react", app_server, "Action: Finish[500]"), "zh")
    prompts = text("compare.prompts", "zh", variant=text("prompt_editor.variant_default", "zh"))
    assert len([caption for caption in app.caption if prompts in caption.value]) == 2


def test_a_fork_is_there_after_a_visit_to_another_page(app_server: SSEServer) -> None:
    app = write(finished(app_server, "react"), "react", "react", 1, "observation", "500")
    go_on(app, "react", app_server, "Action: Finish[500]")
    assert text("what_if.fork") in words(visit(visit(app, "reflection"), "react"))
    assert answers(app) == {"original": "5", "fork": "500"}


def test_a_fork_belongs_to_its_page(app_server: SSEServer) -> None:
    app = write(finished(app_server, "react"), "react", "react", 1, "observation", "500")
    go_on(app, "react", app_server, "Action: Finish[500]")
    assert text("what_if.fork") not in words(visit(app, "compare"))


@pytest.mark.parametrize(
    ("open_it", "page", "lane"),
    [(on_compare, "compare", "compare.react"), (in_the_lab, "prompt_lab", "prompt_lab.b")],
)
def test_a_fork_opens_on_the_page_of_its_paradigm(app_server: SSEServer, open_it: Open, page: str, lane: str) -> None:
    app = write(open_it(app_server), page, lane, 1, "observation", "500")
    click(go_on(app, page, app_server, "Action: Finish[500]"), f"{page}.fork.open.fork")
    assert not app.exception
    assert app.session_state["react.run"].run.answer == "500"
    assert "react.what_if.1" in what_ifs(app)


@pytest.mark.parametrize("lane", ["original", "fork"])
def test_a_lane_of_a_fork_opens_on_the_page_that_it_is_on(app_server: SSEServer, lane: str) -> None:
    app = write(finished(app_server, "react"), "react", "react", 1, "observation", "500")
    click(go_on(app, "react", app_server, "Action: Finish[500]"), f"react.fork.open.{lane}")
    assert not app.exception


def test_a_run_that_is_opened_on_the_page_of_a_fork_takes_its_place(app_server: SSEServer) -> None:
    app = write(finished(app_server, "react"), "react", "react", 1, "observation", "500")
    go_on(app, "react", app_server, "Action: Finish[500]")
    app_server.answer(*answering("Action: Finish[9]"))
    visit(app, "compare").pills(key="compare.agents").set_value(["react"]).run()
    click(run_and_look(app, "compare.start"), "compare.open.react")
    assert "react.fork" not in app.session_state
    assert app.session_state["react.run"].run.answer == "9"


def test_a_fork_is_a_source_of_prompts_in_the_lab(app_server: SSEServer) -> None:
    app = write(finished(app_server, "react"), "react", "react", 1, "observation", "500")
    visit(go_on(app, "react", app_server, "Action: Finish[500]"), "prompt_lab")
    assert not app.exception
    assert len(app.selectbox(key="prompt_lab.react.b.source").options) >= 2


# What is wrong


@pytest.mark.parametrize(
    ("name", "step", "part"), [("react", 1, "thought"), ("plan_and_solve", 2, "result"), ("reflection", 1, "draft")]
)
def test_a_blank_text_gets_a_sentence_and_starts_nothing(
    app_server: SSEServer, name: str, step: int, part: Part
) -> None:
    app = write(finished(app_server, name), name, name, step, part, "  ")
    click(app, f"{name}.what_if.go_on")
    assert [error.value for error in app.error] == [text("what_if.error_blank")]
    assert f"{name}.fork" not in app.session_state
    assert dialog_is_open(app, name)


def test_a_plan_that_cannot_be_read_gets_a_sentence(app_server: SSEServer) -> None:
    plan = "\n".join(f"Find number {number}" for number in range(1, 20))
    app = write(finished(app_server, "plan_and_solve"), "plan_and_solve", "plan_and_solve", 1, "plan", plan)
    click(app, "plan_and_solve.what_if.go_on")
    assert [error.value for error in app.error] == [text("what_if.error_unreadable_plan")]
    assert "plan_and_solve.fork" not in app.session_state


def test_what_was_typed_is_still_there_beside_the_sentence(app_server: SSEServer) -> None:
    plan = "\n".join(f"Find number {number}" for number in range(1, 20))
    app = write(finished(app_server, "plan_and_solve"), "plan_and_solve", "plan_and_solve", 1, "plan", plan)
    click(app, "plan_and_solve.what_if.go_on")
    assert app.text_area(key="plan_and_solve.what_if.text.plan").value == plan
    app.text_area(key="plan_and_solve.what_if.text.plan").set_value("Find A").run()
    assert answers(go_on(app, "plan_and_solve", app_server, "1", "A."), "plan_and_solve")["fork"] == "A."


def test_the_sentence_is_gone_when_the_dialog_is_opened_anew(app_server: SSEServer) -> None:
    app = click(write(finished(app_server, "react"), "react", "react", 1, "thought", " "), "react.what_if.go_on")
    click(click(app, "react.what_if.cancel"), "react.what_if.2")
    assert not app.error


def test_a_fork_goes_on_with_the_model_of_its_run_whatever_was_chosen_since(app_server: SSEServer) -> None:
    app = finished(app_server, "react")
    app.session_state["model.source"] = "demo"
    write(app.run(), "react", "react", 1, "observation", "500")
    assert answers(go_on(app, "react", app_server, "Action: Finish[500]"))["fork"] == "500"
    write(app, "react", "react.fork", 1, "observation", "600")
    assert answers(go_on(app, "react", app_server, "Action: Finish[600]"))["fork"] == "600"


def test_a_server_that_is_gone_is_said_in_the_fork(nothing_is_set: None, monkeypatch: pytest.MonkeyPatch) -> None:
    with SSEServer() as server:
        monkeypatch.setenv("LLM_BASE_URL", server.url)
        monkeypatch.setenv("LLM_MODEL_ID", "tester")
        app = finished(server, "react")
    run_and_look(write(app, "react", "react", 1, "observation", "500"), "react.what_if.go_on")
    assert not app.exception
    assert "What to do:" in app.error[0].value
    assert "Calculator[2+3]" in words(app)


def test_a_model_that_fails_in_the_fork_says_why_and_keeps_what_was_before(app_server: SSEServer) -> None:
    app = write(finished(app_server, "react"), "react", "react", 1, "observation", "500")
    app_server.answer(Answer(chunks=[text_chunk("Tho"), {"cut": "reset"}]))
    run_and_look(app, "react.what_if.go_on")
    assert not app.exception
    assert "What to do:" in app.error[0].value
    assert "Calculator[2+3]" in words(app)
    assert not app.button(key="react.start").disabled


def test_without_a_question_no_run_begins_and_the_fork_stays(app_server: SSEServer) -> None:
    app = write(finished(app_server, "react"), "react", "react", 1, "observation", "500")
    go_on(app, "react", app_server, "Action: Finish[500]")
    app.text_area(key="react.question").set_value(" ").run()
    assert [error.value for error in click(app, "react.start").error] == [text("page.no_question")]
    assert answers(app) == {"original": "5", "fork": "500"}


def test_a_run_that_ends_while_the_page_is_drawn_leaves_it_ready(
    app_server: SSEServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("components.paradigm_page.draw_dialog", wait_for_the_run)
    app_server.answer(Answer(header_delay=0.5, chunks=[text_chunk(FIVE)]))
    app = click(open_page("react"), "react.start")
    assert not app.button(key="react.start").disabled
    assert "react.what_if.1" in what_ifs(app)


def test_a_fork_that_ends_while_the_page_is_drawn_leaves_it_ready(
    app_server: SSEServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = write(finished(app_server, "react"), "react", "react", 1, "observation", "500")
    monkeypatch.setattr("components.paradigm_page.draw_dialog", wait_for_the_run)
    app_server.answer(Answer(header_delay=0.5, chunks=[text_chunk("Action: Finish[500]")]))
    click(app, "react.what_if.go_on")
    assert not app.button(key="react.start").disabled
    assert "react.fork.what_if.1" in what_ifs(app)


def test_a_fork_of_a_fork_is_left_for_the_fork_before_it(app_server: SSEServer) -> None:
    app = write(finished(app_server, "react"), "react", "react", 1, "observation", "500")
    go_on(app, "react", app_server, "Action: Finish[500]")
    write(app, "react", "react.fork", 1, "observation", "600")
    go_on(app, "react", app_server, "Action: Finish[600]")
    assert text("what_if.before_it") in words(app)
    click(app, "react.fork.back")
    assert answers(app)["fork"] == "500"
    click(app, "react.fork.back")
    assert "react.fork" not in app.session_state
