"""The comparison page, as far as AppTest can see it."""

import pytest
from streamlit.testing.v1 import AppTest

from components.comparison_run import ComparisonRun
from tests.app_under_test import click, labels, open_page, words
from tests.sse_server import Answer, SSEServer, answering, text_chunk

pytestmark = pytest.mark.usefixtures("nothing_is_set")
PLAN = '["Multiply 6 by 7"]'
APPROVED = "Good.\nVerdict: APPROVED"
ONE_OF_EACH = ["42", "Action: Finish[42]", PLAN, "42", "The answer is 42.", "forty-one", APPROVED]


def compared(app: AppTest) -> ComparisonRun:
    comparison: ComparisonRun = app.session_state["compare.run"]
    return comparison


def in_turn(app: AppTest) -> AppTest:
    app.segmented_control(key="compare.order").set_value("in_turn").run()
    return app


@pytest.mark.parametrize("order", ["race", "in_turn"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_one_question_goes_through_every_lane_on_the_demo_model(order: str, lang: str) -> None:
    app = open_page("compare", lang=lang)
    app.segmented_control(key="compare.order").set_value(order).run()
    click(app, "compare.start")
    assert not app.exception
    answers = {job.lane: run.answer for job, run in compared(app).runs.items()}
    assert set(answers) == {"direct", "react", "plan_and_solve", "reflection"}
    assert "498" in str(answers["react"])
    assert "504" in str(answers["direct"])
    assert len(app.dataframe[0].value) == 4


def test_the_table_marks_right_and_wrong_lanes(app_server: SSEServer) -> None:
    app_server.answer(*answering(*ONE_OF_EACH))
    app = in_turn(open_page("compare"))
    app.text_input(key="compare.expected").set_value("42").run()
    click(app, "compare.start")
    table = app.dataframe[0].value
    marks = dict(zip(table["Agent"], table.iloc[:, 1], strict=True))
    assert [str(marks[agent]).lower() for agent in ("Direct", "ReAct", "Plan-and-Solve", "Reflection")] == [
        "right",
        "right",
        "right",
        "wrong",
    ]
    assert table["Model calls"].tolist() == [1, 1, 3, 2]


def test_a_lane_that_fails_says_why_and_the_others_go_on(
    app_server: SSEServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LLM_TIMEOUT", "1")
    app_server.answer(
        Answer(401, "application/json", '{"error": {"message": "Incorrect API key"}}'),
        Answer(chunks=[text_chunk("Tho"), {"cut": "reset"}]),
        Answer(chunks=[text_chunk("[")], done=False, hold=True),
        *answering("a haiku", APPROVED),
    )
    app = click(in_turn(open_page("compare")), "compare.start")
    assert not app.exception
    errors = {job.lane: run.ended.error for job, run in compared(app).runs.items() if run.ended}
    assert errors == {"direct": "auth", "react": "connection", "plan_and_solve": "timeout", "reflection": ""}
    assert len(app.error) == 3
    assert "a haiku" in words(app)


def test_differences_between_lanes_are_named() -> None:
    app = click(open_page("compare"), "compare.start")
    assert "Not the same in every lane: tools" in words(app)


def test_the_persons_own_prompts_are_compared(app_server: SSEServer) -> None:
    app_server.answer(*answering("42"))
    app = open_page("compare")
    app.text_area(key="prompt.direct.answer.en").set_value("MINE {question}").run()
    app.pills(key="compare.agents").set_value(["direct"]).run()
    click(app, "compare.start")
    assert app_server.bodies[0]["messages"][0]["content"].startswith("MINE ")
    assert "prompts: Edited" in words(app) or "prompts: edited" in words(app)


def test_several_runs_show_their_spread_and_the_majority(app_server: SSEServer) -> None:
    app_server.answer(*answering("42", "41", "42"))
    app = open_page("compare")
    app.pills(key="compare.agents").set_value(["direct"]).run()
    app.number_input(key="compare.times").set_value(3).run()
    click(app, "compare.start")
    assert "Direct: most frequent answer: 42" in labels(app)
    assert app.dataframe[0].value["Answered"].tolist() == ["3 / 3"]


def test_a_question_set_is_run_and_summed_up(app_server: SSEServer) -> None:
    app_server.answer(*answering("42", "seven"))
    app = open_page("compare")
    app.pills(key="compare.agents").set_value(["direct"]).run()
    app.segmented_control(key="compare.mode").set_value("question_set").run()
    app.text_area(key="compare.set").set_value("question,expected\n6 * 7?,42\n3 + 3?,6").run()
    click(app, "compare.start")
    assert app.dataframe[0].value["Right"].tolist() == ["1 / 2"]
    assert "Every single run" in labels(app)
    job, cards = next(iter(compared(app).runs)), labels(app).count("Exact prompt")
    app.selectbox(key="compare.opened").select(job).run()
    assert not app.exception
    assert labels(app).count("Exact prompt") == cards + 1


@pytest.mark.parametrize(
    ("text", "named"), [("question,expected\n6 * 7?,42\n,3", "3"), ('{"question": "a"}\n{"quest": 1}', "2")]
)
def test_a_bad_question_set_gets_a_sentence_that_names_the_line(text: str, named: str) -> None:
    app = open_page("compare")
    app.segmented_control(key="compare.mode").set_value("question_set").run()
    app.text_area(key="compare.set").set_value(text).run()
    click(app, "compare.start")
    assert named in app.error[0].value
    assert "compare.run" not in app.session_state


def test_a_prediction_is_scored(app_server: SSEServer) -> None:
    app_server.answer(*answering(*ONE_OF_EACH))
    app = in_turn(open_page("compare"))
    app.toggle(key="compare.predict").set_value(True).run()
    app.selectbox(key="compare.predict_cheapest").select("direct").run()
    app.selectbox(key="compare.predict_right").select("reflection").run()
    app.text_input(key="compare.expected").set_value("42").run()
    click(app, "compare.start")
    said = words(app)
    assert ":green[:material/check_circle:] Cheapest: you said Direct" in said
    assert ":red[:material/cancel:] Right: you said Reflection" in said


def test_a_lane_opens_on_its_page_with_everything_that_was_set(app_server: SSEServer) -> None:
    app_server.answer(*answering(*ONE_OF_EACH))
    app = in_turn(open_page("compare"))
    app.text_area(key="compare.question").set_value("What is 6 times 7?").run()
    click(app, "compare.start")
    app.session_state["react.limit"] = 2
    app.session_state["prompt.react.react.en.incoming"] = "Something else {question}"
    click(app, "compare.open.react")
    assert app.text_area(key="react.question").value == "What is 6 times 7?"
    assert app.session_state["react.run"].run.answer == "42"
    assert app.slider(key="react.limit").value == 6
    assert str(app.text_area(key="prompt.react.react.en").value).startswith("You answer a question")


def test_a_prediction_made_after_the_run_does_not_count(app_server: SSEServer) -> None:
    app_server.answer(*answering(*ONE_OF_EACH))
    app = click(in_turn(open_page("compare")), "compare.start")
    app.toggle(key="compare.predict").set_value(True).run()
    app.selectbox(key="compare.predict_cheapest").select("direct").run()
    assert "What you predicted" not in words(app)


def test_a_lane_that_ends_through_a_bug_says_so(monkeypatch: pytest.MonkeyPatch, app_server: SSEServer) -> None:
    monkeypatch.setattr("agents.tools.toolbox.Toolbox.use", lambda *_: [][0].nothing)
    monkeypatch.setattr("threading.excepthook", lambda _: None)
    app_server.answer(*answering("Action: Calculator[1]"))
    app = open_page("compare")
    app.pills(key="compare.agents").set_value(["react"]).run()
    click(app, "compare.start")
    assert not app.exception
    assert "a fault in this app" in app.error[0].value


def test_columns_that_mean_nothing_are_named() -> None:
    app = open_page("compare")
    app.segmented_control(key="compare.mode").set_value("question_set").run()
    app.text_area(key="compare.set").set_value("question,expectd\n6 * 7?,42").run()
    assert "expectd" in app.warning[0].value


@pytest.mark.parametrize("problem", ["compare.question", "compare.agents", "compare.expected"])
def test_what_is_missing_is_said_and_nothing_starts(problem: str) -> None:
    app = open_page("compare")
    app.session_state[problem] = {"compare.question": " ", "compare.agents": [], "compare.expected": "("}[problem]
    app.session_state["compare.expected"] = "/(/" if problem == "compare.expected" else ""
    app.run()
    click(app, "compare.start")
    assert len(app.error) == 1
    assert "compare.run" not in app.session_state
