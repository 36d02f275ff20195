"""The prompt lab and what-if forks in headless Chromium: side by side, stopped, left and come back to, on a phone."""

import re
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import running_app
from tests.sse_server import SSEServer, answering

IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1"
SUM = "Thought: a sum\nAction: Calculator[2+3]"
FIVE = "Thought: so\nAction: Finish[five]"


@pytest.fixture(scope="module")
def app(model_server: SSEServer) -> Iterator[str]:
    """The app with a model that writes 20 words a second, for 10 seconds, once its scripted answers are used up."""
    with running_app(LLM_BASE_URL=model_server.url, LLM_MODEL_ID="sim-r20-n200") as app:
        yield app.url


@pytest.fixture(autouse=True)
def a_clean_record(model_server: SSEServer) -> None:
    model_server.forget()


def button(page: Page, name: str) -> Locator:
    return page.get_by_test_id("stMain").get_by_role("button", name=name, exact=True)


def dialog(page: Page) -> Locator:
    return page.get_by_role("dialog")


def box(page: Page) -> Locator:
    return dialog(page).get_by_label("What should stand there instead")


def go_on(page: Page) -> Locator:
    return dialog(page).get_by_role("button", name="Go on from here")


def finished_run(page: Page, app: str, server: SSEServer) -> Page:
    """The ReAct page after a run of two steps, with all cards open."""
    server.answer(*answering(SUM, FIVE))
    page.goto(f"{app}/react")
    button(page, "Run").click()
    expect(page.get_by_text("The agent gave its answer.")).to_be_visible()
    page.get_by_text("Open all cards").click()
    expect(what_if(page).first).to_be_visible()
    at_rest(what_if(page).last)
    return page


def at_rest(place: Locator) -> None:
    """Waits until opening cards do not move this any more: between press and release it would slip from the pointer."""
    before = None
    while before != (now := place.bounding_box()):
        before = now
        place.page.wait_for_timeout(300)


def what_if(page: Page) -> Locator:
    return button(page, "What if …?")


def changed(page: Page, text: str) -> Page:
    """The page with the first step's observation changed, and the fork begun."""
    what_if(page).first.click()
    box(page).fill(text)
    go_on(page).click()
    expect(dialog(page)).to_have_count(0)
    return page


def dropped(server: SSEServer) -> int:
    return sum(exchange.dropped_at is not None for exchange in server.exchanges)


def outcome(page: Page) -> Locator:
    return page.get_by_text("What the change did", exact=True)


def calls(server: SSEServer) -> int:
    return len(server.exchanges)


def stop(page: Page, name: str = "Stop") -> None:
    button(page, name).click()
    expect(button(page, name)).to_be_disabled()


def test_an_experiment_takes_two_clicks_and_says_what_the_change_did(page: Page, demo_app: str) -> None:
    page.goto(f"{demo_app}/prompt_lab")
    button(page, "Without thoughts").click()
    expect(page.get_by_text("Does thinking help?")).to_be_visible()
    button(page, "Run all versions").click()
    expect(outcome(page)).to_be_visible(timeout=30_000)
    expect(page.get_by_text(re.compile("Compared with Version A, Version B"))).to_be_visible()
    expect(page.get_by_test_id("stTable").first).to_be_visible()
    expect(button(page, "Run all versions")).to_be_enabled()


def test_both_versions_are_live_at_once_and_stop_ends_both(page: Page, app: str, model_server: SSEServer) -> None:
    page.goto(f"{app}/prompt_lab")
    button(page, "Without stop sequence").click()
    expect(page.get_by_text("Stop sequence: on → off")).to_be_visible()
    button(page, "Run all versions").click()
    expect(page.get_by_text("word5")).to_have_count(2)
    assert [model_server.bodies[0].get("stop"), model_server.bodies[1].get("stop")].count(None) == 1
    expect(what_if(page)).to_have_count(0)
    stop(page, "Stop all")
    model_server.wait_until(lambda: dropped(model_server) == 2)
    expect(outcome(page)).to_be_visible()


def test_a_fork_streams_while_the_original_stands_beside_it(page: Page, app: str, model_server: SSEServer) -> None:
    changed(finished_run(page, app, model_server), "five hundred")
    expect(page.get_by_text("word5")).to_be_visible()
    expect(page.get_by_text("five", exact=True).last).to_be_visible()
    expect(page.get_by_text("Observation changed by a person").first).to_be_visible()
    original, fork = page.get_by_text("The original run"), page.get_by_text("The changed run")
    places = original.bounding_box(), fork.bounding_box()
    assert places[0] is not None
    assert places[1] is not None
    assert places[0]["x"] < places[1]["x"]
    assert abs(places[0]["y"] - places[1]["y"]) < 2
    assert calls(model_server) == 3
    stop(page)


def test_stop_ends_a_fork_at_once_and_keeps_its_text(page: Page, app: str, model_server: SSEServer) -> None:
    changed(finished_run(page, app, model_server), "five hundred")
    expect(page.get_by_text("word5")).to_be_visible()
    pressed = time.monotonic()
    stop(page)
    model_server.wait_until(lambda: dropped(model_server) == 1)
    assert (model_server.exchanges[2].dropped_at or pressed + 99) - pressed < 1
    expect(page.get_by_text("You stopped the run.")).to_be_visible()
    expect(button(page, "Run")).to_be_enabled()


def test_nothing_can_be_changed_while_a_run_or_a_fork_goes_on(page: Page, app: str, model_server: SSEServer) -> None:
    model_server.answer(*answering(SUM))
    page.goto(f"{app}/react")
    page.get_by_text("Open all cards").click()
    button(page, "Run").click()
    expect(page.get_by_text("word5")).to_be_visible()
    expect(page.get_by_text("Calculator[2+3]").first).to_be_visible()
    expect(what_if(page)).to_have_count(0)
    stop(page)
    expect(what_if(page)).not_to_have_count(0)
    changed(page, "five hundred")
    expect(page.get_by_text("word5").last).to_be_visible()
    expect(what_if(page)).to_have_count(0)
    stop(page)
    expect(what_if(page)).not_to_have_count(0)


def test_the_dialog_answers_to_typing_and_poison_and_closes(page: Page, app: str, model_server: SSEServer) -> None:
    what_if(finished_run(page, app, model_server)).first.click()
    expect(box(page)).to_have_value("5")
    go_on(page).click()
    expect(dialog(page).get_by_text("Nothing is changed yet")).to_be_visible()
    dialog(page).get_by_role("button", name="Text that gives orders").click()
    expect(box(page)).to_have_value(re.compile(r"^5\n\nSYSTEM NOTICE"))
    dialog(page).get_by_text("Thought", exact=True).click()
    expect(box(page)).to_have_value("a sum")
    dialog(page).get_by_role("button", name="Cancel").click()
    expect(dialog(page)).to_have_count(0)
    expect(what_if(page)).to_have_count(2)
    assert calls(model_server) == 2


def test_a_fork_goes_on_while_another_page_is_looked_at(page: Page, app: str, model_server: SSEServer) -> None:
    changed(finished_run(page, app, model_server), "five hundred")
    expect(page.get_by_text("word5")).to_be_visible()
    sidebar = page.get_by_test_id("stSidebar")
    sidebar.get_by_role("link", name="Reflection").click()
    expect(sidebar.get_by_text("ReAct: running")).to_be_visible()
    model_server.wait_until(lambda: model_server.exchanges[2].sent > 130, 10)
    assert dropped(model_server) == 0
    sidebar.get_by_role("link", name="ReAct").first.click()
    expect(page.get_by_text("The changed run").first).to_be_visible()
    expect(page.get_by_text("word130")).to_be_visible()
    stop(page)
    assert calls(model_server) == 3


def test_back_leads_from_the_fork_to_the_run(page: Page, app: str, model_server: SSEServer) -> None:
    finished_run(page, app, model_server)
    model_server.answer(*answering("Action: Finish[five hundred and one]"))
    changed(page, "five hundred")
    expect(page.get_by_text("five hundred and one").last).to_be_visible()
    button(page, "Back").click()
    expect(page.get_by_text("five hundred")).to_have_count(0)
    expect(what_if(page)).to_have_count(2)


def test_on_a_phone_the_versions_and_the_fork_are_tabs_and_nothing_is_wider_than_the_screen(
    browser: Browser, app: str, model_server: SSEServer
) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, user_agent=IPHONE)
    page = context.new_page()
    model_server.answer(*answering(SUM, FIVE, SUM, FIVE))
    page.goto(f"{app}/prompt_lab")
    page.get_by_text("In turn: fair times").click()
    button(page, "Without stop sequence").click()
    button(page, "Run all versions").click()
    expect(outcome(page)).to_be_visible()
    is_narrow = "main => main.scrollWidth <= main.clientWidth"
    assert page.get_by_test_id("stMain").evaluate(is_narrow)
    page.get_by_role("tab", name="Version B").last.click()
    page.get_by_text(re.compile("Calculator: 2\\+3")).last.click()
    what_if(page).locator("visible=true").first.click()
    box(page).fill("five hundred")
    edges = go_on(page).bounding_box()
    assert edges is not None
    assert edges["x"] + edges["width"] <= 390
    go_on(page).click()
    expect(page.get_by_role("tab", name="The changed run")).to_be_visible()
    assert page.get_by_test_id("stMain").evaluate(is_narrow)
    stop(page, "Stop all")
    context.close()
