"""The comparison in headless Chromium: lanes at once, stopped one by one or together, on a phone, and its charts."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import running_app
from tests.sse_server import SSEServer

IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1"


@pytest.fixture(scope="module")
def app(model_server: SSEServer) -> Iterator[str]:
    """The app with a model that writes 20 words a second, for 10 seconds."""
    with running_app(LLM_BASE_URL=model_server.url, LLM_MODEL_ID="sim-r20-n200") as app:
        yield app.url


@pytest.fixture(autouse=True)
def a_clean_record(model_server: SSEServer) -> None:
    model_server.forget()


def button(page: Page, name: str) -> Locator:
    return page.get_by_test_id("stMain").get_by_role("button", name=name, exact=True)


def start(page: Page, app: str) -> Page:
    page.goto(f"{app}/compare")
    button(page, "Run all").click()
    return page


def dropped(server: SSEServer) -> int:
    return sum(exchange.dropped_at is not None for exchange in server.exchanges)


def test_stop_all_ends_every_lane_at_once(page: Page, app: str, model_server: SSEServer) -> None:
    start(page, app)
    expect(page.get_by_text("word3")).to_have_count(4)
    button(page, "Stop all").click()
    model_server.wait_until(lambda: dropped(model_server) == 4)
    expect(page.get_by_text("You stopped the run.")).to_have_count(4)
    expect(button(page, "Run all")).to_be_enabled()


def test_stopping_one_lane_leaves_the_others_running(page: Page, app: str, model_server: SSEServer) -> None:
    start(page, app)
    expect(page.get_by_text("word3")).to_have_count(4)
    button(page, "Stop this lane").first.click()
    model_server.wait_until(lambda: dropped(model_server) == 1)
    expect(page.get_by_text("word40")).to_have_count(3)
    button(page, "Stop all").click()
    expect(button(page, "Run all")).to_be_enabled()


def test_leaving_and_coming_back_loses_no_lane(page: Page, app: str, model_server: SSEServer) -> None:
    start(page, app)
    expect(page.get_by_text("word3")).to_have_count(4)
    sidebar = page.get_by_test_id("stSidebar")
    sidebar.get_by_role("link", name="Home").click()
    expect(sidebar.get_by_text("Compare: running")).to_be_visible()
    sidebar.get_by_role("link", name="Compare", exact=True).click()
    expect(page.get_by_text("word3")).to_have_count(4)
    assert dropped(model_server) == 0
    button(page, "Stop all").click()
    expect(button(page, "Run all")).to_be_enabled()


def test_the_table_and_both_charts_are_drawn(page: Page, demo_app: str) -> None:
    start(page, demo_app)
    expect(page.get_by_text("What it cost, and what it brought")).to_be_visible(timeout=30_000)
    charts = page.get_by_test_id("stVegaLiteChart")
    expect(charts).to_have_count(2)
    expect(charts.first.locator("canvas, svg").first).to_be_visible()
    expect(page.get_by_test_id("stDataFrame").first).to_be_visible()
    with page.expect_download() as download:
        page.get_by_test_id("stDownloadButton").get_by_text("Download as CSV").click()
    assert "Plan-and-Solve" in download.value.path().read_text(encoding="utf-8-sig")


def test_on_a_phone_the_lanes_are_tabs(browser: Browser, demo_app: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, user_agent=IPHONE)
    page = start(context.new_page(), demo_app)
    expect(page.get_by_role("tab", name="ReAct")).to_be_visible()
    page.get_by_role("tab", name="ReAct").click()
    expect(page.get_by_text(re.compile("by 498 metres")).last).to_be_visible(timeout=30_000)
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollWidth <= main.clientWidth")
    context.close()
