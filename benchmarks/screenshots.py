"""Takes the README's screenshots: the app on the demo model, in headless Chromium.

    python -m benchmarks.screenshots

Writes `docs/*.png` anew. Needs Chromium (CHROMIUM names it) and Playwright.
"""

from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.conftest import CHROMIUM, FLAGS, running_app

DOCS = Path(__file__).parents[1] / "docs"
Scheme = Literal["light", "dark"]


def open_page(browser: Browser, url: str, scheme: Scheme, height: int = 1100, waits_for: str = "Run") -> Page:
    """A page of the app, at a projector's width, once the button with this name is there."""
    context = browser.new_context(viewport={"width": 1440, "height": height}, color_scheme=scheme, locale="en-GB")
    page = context.new_page()
    page.goto(url)
    page.get_by_test_id("stMain").get_by_role("button", name=waits_for, exact=True).wait_for()
    page.wait_for_load_state("networkidle")
    return page


def run(page: Page) -> None:
    """Presses Run."""
    page.get_by_test_id("stMain").get_by_role("button", name="Run", exact=True).click()


def choose(page: Page, role: str, variant: str) -> None:
    """Picks a variant of the prompt of this role in the sidebar."""
    sidebar = page.get_by_test_id("stSidebar")
    sidebar.get_by_text(role, exact=True).click()
    sidebar.get_by_role("combobox").click()
    page.get_by_role("option", name=variant, exact=True).click()
    page.wait_for_timeout(800)


def finish(page: Page, name: str) -> None:
    """Waits for the run's end and takes the picture."""
    page.get_by_text("Save this run").wait_for(timeout=60_000)
    page.wait_for_timeout(1000)
    page.screenshot(path=DOCS / name)
    page.context.close()


def take_prompt_lab(browser: Browser, url: str) -> None:
    """An experiment of the prompt lab: no stop sequence, after the runs."""
    page = open_page(browser, f"{url}/prompt_lab", "light", 1900, waits_for="Run all versions")
    page.get_by_role("button", name="Without stop sequence").click()
    page.get_by_text("What keeps the model from inventing observations?").wait_for()
    page.get_by_label("Your hypothesis").fill("It will make up what the tools say.")
    page.get_by_label("Your hypothesis").press("Enter")
    page.get_by_role("button", name="Run all versions").click()
    page.get_by_role("heading", name="What the change did").wait_for(timeout=60_000)
    page.wait_for_timeout(1500)
    page.screenshot(path=DOCS / "prompt-lab.png")
    page.context.close()


def take_what_if(browser: Browser, url: str) -> None:
    """A fork: the original beside a run whose first observation gives orders."""
    page = open_page(browser, f"{url}/react", "light", 1250)
    run(page)
    page.get_by_text("Save this run").wait_for(timeout=60_000)
    page.get_by_text("Search: height of the Eiffel Tower").click()
    page.get_by_role("button", name="What if …?").first.click()
    page.get_by_role("button", name="Text that gives orders").click()
    page.get_by_role("button", name="Go on from here").click()
    page.get_by_text("bananas", exact=True).last.wait_for(timeout=60_000)
    page.wait_for_timeout(2000)
    page.screenshot(path=DOCS / "what-if.png")
    page.context.close()


def main() -> None:
    """Takes all of them."""
    DOCS.mkdir(exist_ok=True)
    with sync_playwright() as playwright, running_app() as app:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)

        page = open_page(browser, f"{app.url}/react", "light")
        run(page)
        page.get_by_text("Calculator[828").first.wait_for()
        page.screenshot(path=DOCS / "react-running.png")
        page.context.close()

        page = open_page(browser, f"{app.url}/react", "dark", 1300)
        choose(page, "Turn", "No format rules")
        page.get_by_text("Open all cards").click()
        run(page)
        finish(page, "react-dark.png")

        page = open_page(browser, f"{app.url}/plan_and_solve", "light")
        page.get_by_role("button", name="Class trip").click()
        run(page)
        finish(page, "plan-and-solve.png")

        page = open_page(browser, f"{app.url}/reflection", "light", 1300)
        page.get_by_role("button", name="Prime numbers (code)").click()
        choose(page, "Writer", "Writes Python code")
        choose(page, "Reviewer", "Strict on efficiency")
        page.get_by_text("Open all cards").click()
        run(page)
        finish(page, "reflection.png")

        take_prompt_lab(browser, app.url)
        take_what_if(browser, app.url)
        browser.close()


if __name__ == "__main__":
    main()
