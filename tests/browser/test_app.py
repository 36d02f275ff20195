"""What a person does in the app, in headless Chromium: streaming, Stop, leaving, coming back, two people at once."""

import re
import time
from collections.abc import Iterator
from typing import Literal

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import running_app
from tests.sse_server import Answer, SSEServer, answering, text_chunk

SLOW_WORDS = [f"word{number} " for number in range(400)]


@pytest.fixture(scope="module")
def app(model_server: SSEServer) -> Iterator[str]:
    """The app with the local server as its model."""
    with running_app(LLM_BASE_URL=model_server.url, LLM_MODEL_ID="tester", LLM_API_KEY="sk-server") as app:
        yield app.url


@pytest.fixture(autouse=True)
def a_clean_record(model_server: SSEServer) -> None:
    model_server.forget()


def streaming(words: list[str], seconds: float = 0.05) -> Answer:
    """A reply of these words, one at a time."""
    return Answer(chunks=[part for word in words for part in (text_chunk(word), {"_sleep_s": seconds})])


def open_react(page: Page, app: str) -> Page:
    page.goto(f"{app}/react")
    expect(run_button(page)).to_be_enabled()
    return page


def run_button(page: Page) -> Locator:
    return page.get_by_test_id("stMain").get_by_role("button", name="Run", exact=True)


def stop_button(page: Page) -> Locator:
    return page.get_by_test_id("stMain").get_by_role("button", name="Stop", exact=True)


def press(page: Page, button: Locator) -> float:
    """Clicks; returns when the button felt it, by `time.monotonic`. What Playwright does before is left out."""
    page.evaluate("addEventListener('pointerdown', () => { window.pressedAt = Date.now() / 1000 }, {capture: true})")
    button.click()
    return float(page.evaluate("window.pressedAt")) - (time.time() - time.monotonic())


def cards(page: Page) -> Locator:
    return page.get_by_test_id("stExpander").filter(has_text=re.compile("tokens ·"))


def calls(server: SSEServer) -> int:
    return len([exchange for exchange in server.exchanges if exchange.path.endswith("/chat/completions")])


def test_the_demo_needs_one_click(page: Page, demo_app: str) -> None:
    page.goto(demo_app)
    page.get_by_role("button", name="Run: Two towers").click()
    expect(page).to_have_url(re.compile("/react"))
    expect(page.get_by_text("The Burj Khalifa is taller, by 498 metres").last).to_be_visible()


def test_stop_during_a_stream_keeps_the_text_and_the_next_run_starts(
    page: Page, app: str, model_server: SSEServer
) -> None:
    model_server.answer(streaming(SLOW_WORDS), *answering("Action: Finish[second]"))
    run_button(open_react(page, app)).click()
    expect(page.get_by_text("word3 ")).to_be_visible()
    pressed = press(page, stop_button(page))
    model_server.wait_until(lambda: model_server.exchanges[0].dropped_at is not None)
    assert (model_server.exchanges[0].dropped_at or pressed + 99) - pressed < 0.3
    expect(page.get_by_text("You stopped the run.")).to_be_visible()
    page.get_by_text("Open all cards").click()
    expect(page.get_by_text("word3 ").first).to_be_visible()
    run_button(page).click()
    expect(page.get_by_text("second").first).to_be_visible()


def test_stop_while_the_server_is_silent_is_at_once(page: Page, app: str, model_server: SSEServer) -> None:
    model_server.answer(Answer(header_delay=5, chunks=[text_chunk("late")]))
    run_button(open_react(page, app)).click()
    expect(page.get_by_text("Waiting for the model")).to_be_visible()
    model_server.wait_until(lambda: calls(model_server) == 1)
    pressed = press(page, stop_button(page))
    model_server.wait_until(lambda: model_server.exchanges[0].dropped_at is not None)
    assert (model_server.exchanges[0].dropped_at or pressed + 99) - pressed < 0.3
    expect(run_button(page)).to_be_enabled()


def test_touching_widgets_during_a_run_loses_and_doubles_nothing(page: Page, app: str, model_server: SSEServer) -> None:
    first = "Thought: sum\nAction: Calculator[2+3]"
    model_server.answer(*answering(first), streaming([*SLOW_WORDS[:40], "\nAction: Finish[five]"]))
    run_button(open_react(page, app)).click()
    expect(page.get_by_text("word3 ")).to_be_visible()
    page.get_by_text("Open all cards").click()
    page.get_by_test_id("stSidebar").get_by_text("Reminder").click()
    expect(page.get_by_text("five").last).to_be_visible()
    expect(cards(page)).to_have_count(2)
    assert calls(model_server) == 2


def test_a_run_goes_on_while_another_page_is_looked_at(page: Page, app: str, model_server: SSEServer) -> None:
    model_server.answer(streaming([*SLOW_WORDS[:140], "\nAction: Finish[five]"]))
    run_button(open_react(page, app)).click()
    expect(page.get_by_text("word3 ")).to_be_visible()
    page.get_by_test_id("stSidebar").get_by_role("link", name="Reflection").click()
    expect(page.get_by_test_id("stSidebar").get_by_text("ReAct: running")).to_be_visible()
    expect(page.get_by_test_id("stSidebar").get_by_text("ReAct: finished")).to_be_visible()
    page.get_by_test_id("stSidebar").get_by_role("link", name="ReAct").first.click()
    expect(page.get_by_text("five").last).to_be_visible()
    expect(cards(page)).to_have_count(1)
    assert calls(model_server) == 1
    assert model_server.exchanges[0].dropped_at is None


def test_a_run_elsewhere_goes_on_while_this_page_draws_its_own(page: Page, app: str, model_server: SSEServer) -> None:
    model_server.answer(streaming(SLOW_WORDS[:200]), streaming(SLOW_WORDS[:200]))
    run_button(open_react(page, app)).click()
    expect(page.get_by_text("word3 ")).to_be_visible()
    page.get_by_test_id("stSidebar").get_by_role("link", name="Reflection").click()
    expect(page.get_by_text("Draft, review, revise")).to_be_visible()
    run_button(page).click()
    model_server.wait_until(lambda: len(model_server.exchanges) == 2 and model_server.exchanges[1].sent > 130, 20)
    assert model_server.exchanges[0].dropped_at is None
    stop_button(page).click()
    expect(run_button(page)).to_be_enabled()
    page.get_by_test_id("stSidebar").get_by_role("link", name="ReAct", exact=True).click()
    expect(page.get_by_text("Think, act, observe, repeat")).to_be_visible()
    stop_button(page).click()  # or else its next call would take an answer that is meant for another test
    expect(run_button(page)).to_be_enabled()


def test_a_run_begins_with_no_cards_of_the_run_before(page: Page, app: str, model_server: SSEServer) -> None:
    model_server.answer(
        *answering("Thought: old\nAction: Calculator[1+1]", "Action: Finish[old answer]"), streaming(SLOW_WORDS)
    )
    run_button(open_react(page, app)).click()
    expect(page.get_by_text("old answer").last).to_be_visible()
    run_button(page).click()
    expect(page.get_by_text("word3 ")).to_be_visible()
    expect(page.get_by_text("Calculator[1+1]")).to_have_count(0)
    expect(page.get_by_text("old answer")).to_have_count(0)
    stop_button(page).click()
    expect(run_button(page)).to_be_enabled()


def test_closing_the_tab_ends_the_run(page: Page, app: str, model_server: SSEServer) -> None:
    model_server.answer(streaming(SLOW_WORDS * 3))
    run_button(open_react(page, app)).click()
    expect(page.get_by_text("word3 ")).to_be_visible()
    page.close()
    model_server.wait_until(lambda: model_server.exchanges[0].dropped_at is not None, 8)
    assert calls(model_server) == 1


def test_a_prompt_typed_and_followed_at_once_by_run_is_the_prompt_that_runs(
    page: Page, app: str, model_server: SSEServer
) -> None:
    model_server.answer(*answering("Action: Finish[5]"))
    open_react(page, app)
    page.get_by_test_id("stSidebar").locator("textarea").first.fill("TYPED {question} {tools}")
    run_button(page).click()
    model_server.wait_until(lambda: calls(model_server) == 1)
    assert model_server.bodies[0]["messages"][0]["content"].startswith("TYPED ")


def test_a_question_typed_and_followed_at_once_by_run_is_the_question_that_runs(
    page: Page, app: str, model_server: SSEServer
) -> None:
    model_server.answer(*answering("Action: Finish[5]"))
    open_react(page, app)
    page.get_by_label("Question or task").fill("MY QUESTION")
    run_button(page).click()
    model_server.wait_until(lambda: calls(model_server) == 1)
    assert "MY QUESTION" in model_server.bodies[0]["messages"][0]["content"]


def test_edits_outlive_a_lost_connection(page: Page, app: str) -> None:
    page.add_init_script(
        "window.sockets = []; const Plain = WebSocket;"
        "window.WebSocket = class extends Plain { constructor(...all) { super(...all); window.sockets.push(this) } }"
    )
    open_react(page, app)
    page.get_by_label("Question or task").fill("MY QUESTION")
    page.get_by_label("Question or task").blur()
    page.get_by_test_id("stSidebar").locator("textarea").first.fill("MY PROMPT {question} {tools}")
    page.get_by_test_id("stSidebar").locator("textarea").first.blur()
    # The app has to have read it: Streamlit drops what it has not yet worked on when the connection is lost.
    expect(page.get_by_text("1 edited")).to_be_visible()
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    before = page.evaluate("window.sockets.length")
    page.evaluate("window.sockets.at(-1).close()")
    page.wait_for_function(
        "before => window.sockets.length > before && window.sockets.at(-1).readyState === 1", arg=before
    )
    page.get_by_test_id("stSidebar").get_by_role("link", name="Reflection").click()
    expect(page.get_by_text("Draft, review, revise")).to_be_visible()
    page.get_by_test_id("stSidebar").get_by_role("link", name="ReAct").click()
    expect(page.get_by_label("Question or task")).to_have_value("MY QUESTION")
    expect(page.get_by_test_id("stSidebar").locator("textarea").first).to_have_value("MY PROMPT {question} {tools}")


def test_two_people_share_nothing(browser: Browser, app: str, model_server: SSEServer) -> None:
    model_server.answer(*answering("Action: Finish[mine alone]"))
    one, other = browser.new_context(), browser.new_context()
    mine, theirs = open_react(one.new_page(), app), open_react(other.new_page(), app)
    mine.get_by_label("Question or task").fill("MY QUESTION")
    run_button(mine).click()
    expect(mine.get_by_text("mine alone").last).to_be_visible()
    theirs.get_by_text("Open all cards").click()
    expect(theirs.get_by_label("Question or task")).not_to_have_value("MY QUESTION")
    expect(theirs.get_by_text("mine alone")).to_have_count(0)
    one.close()
    other.close()


def test_the_key_of_the_server_never_reaches_the_browser(page: Page, app: str, model_server: SSEServer) -> None:
    model_server.answer(*answering("Action: Finish[5]"))
    frames: list[str | bytes] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(frame)))
    run_button(open_react(page, app)).click()
    expect(page.get_by_text("The agent gave its answer.")).to_be_visible()
    assert len(frames) > 5
    assert not any("sk-server" in str(frame) for frame in frames)


def test_a_picture_in_a_reply_is_not_loaded_and_prices_are_no_formula(
    page: Page, app: str, model_server: SSEServer
) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    model_server.answer(*answering("Action: Finish[![x](https://evil.example/p) costs $5 and then $7 :smile:]"))
    run_button(open_react(page, app)).click()
    expect(page.get_by_text("costs $5 and then $7 :smile:").last).to_be_visible()
    assert not [url for url in asked if "evil.example" in url]
    expect(page.locator(".katex")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_nothing_is_wider_than_the_screen(
    browser: Browser, demo_app: str, scheme: Literal["light", "dark"]
) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme=scheme)
    page = context.new_page()
    open_react(page, demo_app)
    run_button(page).click()
    expect(page.get_by_text("The agent gave its answer.")).to_be_visible(timeout=20_000)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollWidth <= main.clientWidth")
    context.close()


def test_the_language_is_that_of_the_browser_and_can_be_switched(browser: Browser, demo_app: str) -> None:
    context = browser.new_context(locale="zh-CN")
    page = context.new_page()
    page.goto(f"{demo_app}/react")
    expect(page.get_by_role("button", name="运行", exact=True)).to_be_visible()
    page.get_by_text("English", exact=True).click()
    expect(run_button(page)).to_be_visible()
    context.close()
