"""What a race costs: its wall time against the slowest lane's, and the CPU of the app with four lanes at once.

    python -m benchmarks.race

The local server of the tests is a model that writes 100 tokens a second. The ratio is taken in the app's own runs,
without a browser: from the start of the race until all lanes have ended, divided by the longest lane's own time. The
CPU is user and system time of the app's process while headless Chromium shows four lanes (Linux). Prints Markdown.
"""

import argparse
import statistics
import time

from playwright.sync_api import sync_playwright

from agents.base import Settings
from agents.by_name import Switches
from agents.models.openai_chat import OpenAIChat
from agents.tools.toolbox import default_toolbox
from benchmarks.app import cpu_seconds
from components.comparison_run import ComparisonRun, Job
from components.lane import Lane
from tests.browser.conftest import CHROMIUM, FLAGS, running_app
from tests.sse_server import SSEServer

LANES = ("direct", "react", "plan_and_solve", "reflection")
SPEED = 100  # tokens per second and lane


def race_ratio(server: SSEServer, tokens: int) -> float:
    """Wall time of one race divided by the slowest lane's."""
    model = OpenAIChat(f"sim-r{SPEED}-n{tokens}", server.url, "")
    lanes = [
        Lane(name, f"paradigms.{name}", name, model, {"en": default_toolbox()}, {"en": {}}, Settings(), 2, Switches())
        for name in LANES
    ]
    comparison = ComparisonRun(lanes, [Job(name, "What is 6 times 7?") for name in LANES], is_race=True)
    began = time.monotonic()
    comparison.start()
    while comparison.is_working:
        comparison.keep_alive()
        comparison.wait(0.5)
    wall = time.monotonic() - began
    return wall / max(run.totals.seconds for run in comparison.runs.values())


def share_of_a_core(server: SSEServer, seconds: float) -> float:
    """CPU seconds of the app per second of wall time, with four lanes streaming before a browser."""
    with (
        sync_playwright() as playwright,
        running_app(LLM_BASE_URL=server.url, LLM_MODEL_ID=f"sim-r{SPEED}-n1000") as app,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1600, "height": 1200})
        page.goto(f"{app.url}/compare")
        page.get_by_role("button", name="Run all").click()
        page.get_by_text("word20").first.wait_for()
        began, cpu = time.monotonic(), cpu_seconds(app.process)
        page.wait_for_timeout(seconds * 1000)
        used = (cpu_seconds(app.process) - cpu) / (time.monotonic() - began)
        browser.close()
    return used


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=20)
    arguments = parser.parse_args()
    with SSEServer() as server:
        ratios = [race_ratio(server, 100) for _ in range(arguments.runs)]
        print(f"race, wall time / slowest lane: median {statistics.median(ratios):.3f}, most {max(ratios):.3f}")
        print(f"app with four lanes at {SPEED} tokens/s: {share_of_a_core(server, 6):.0%} of a core")


if __name__ == "__main__":
    main()
