"""What the app costs over the command line: wall time of the same run, CPU of the server, and the cold start.

    python -m benchmarks.app

Starts the local server of the tests (a model of known speed), the app, and headless Chromium (CHROMIUM names it). A run
in the app is timed from the click on Run until the answer is on the screen; on the command line, from RunStarted to
RunEnded. CPU is user and system time of the app's process between those two moments (Linux). Prints Markdown tables.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.conftest import CHROMIUM, FLAGS, running_app
from tests.sse_server import SSEServer

ROOT = Path(__file__).parents[1]
SPEEDS = (50, 200, 1000)  # tokens per second
MOST_TOKENS = 1000
SECONDS = 4  # how long the model of known speed writes, unless that would be more tokens


def command_line_seconds(server: SSEServer, model: str) -> float:
    """Seconds from RunStarted to RunEnded of one run on the command line."""
    arguments = ["react", "?", "--model", model, "--base-url", server.url, "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "agents", *arguments], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return float(json.loads(done.stdout.splitlines()[-1])["at"])


def app_run(page: Page, process: int) -> tuple[float, float]:
    """Wall seconds and CPU seconds of one run in the app."""
    run = page.get_by_test_id("stMain").get_by_role("button", name="Run", exact=True)
    run.wait_for()
    page.wait_for_load_state("networkidle")
    cpu, began = cpu_seconds(process), time.monotonic()
    run.click()
    page.get_by_text("The agent gave its answer.").wait_for(timeout=60_000)
    return time.monotonic() - began, cpu_seconds(process) - cpu


def cpu_seconds(process: int) -> float:
    """User and system time of a process so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def cold_start(browser: Browser) -> tuple[float, float]:
    """Seconds from starting the app to the first page's heading, and from the click to the first card of a demo run."""
    began = time.monotonic()
    with running_app() as app:
        page = browser.new_page()
        page.goto(app.url)
        page.get_by_text("See how language-model agents think").wait_for()
        first_page = time.monotonic() - began
        clicked = time.monotonic()
        page.get_by_role("button", name="Run: Two towers").click()
        page.get_by_text("Waiting for the model").or_(page.get_by_text("Thought:")).first.wait_for()
        first_card = time.monotonic() - clicked
        page.close()
    return first_page, first_card


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    with SSEServer() as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        print("| tokens/s | command line, s | app, s | difference, s | CPU s per 1,000 tokens |")
        print("|---:|---:|---:|---:|---:|")
        for speed in SPEEDS:
            tokens = min(speed * SECONDS, MOST_TOKENS)
            model = f"sim-r{speed}-n{tokens}"
            on_command_line = [command_line_seconds(server, model) for _ in range(runs)]
            with running_app(LLM_BASE_URL=server.url, LLM_MODEL_ID=model) as app:
                wall, cpu = [], []
                for _ in range(runs + 1):  # the first run of a process imports the SDK, and does not count
                    page = browser.new_page()
                    page.goto(f"{app.url}/react")
                    seconds, used = app_run(page, app.process)
                    wall.append(seconds)
                    cpu.append(used)
                    page.close()
            line, shown = statistics.median(on_command_line), statistics.median(wall[1:])
            per_thousand = statistics.median(cpu[1:]) / tokens * 1000
            print(f"| {speed} | {line:.2f} | {shown:.2f} | {shown - line:+.2f} | {per_thousand:.2f} |", flush=True)
        starts = [cold_start(browser) for _ in range(runs)]
        print("\n| cold start | s |\n|---|---:|")
        print(f"| process start to first page | {statistics.median(start[0] for start in starts):.2f} |")
        print(f"| click to first card of a demo run | {statistics.median(start[1] for start in starts):.2f} |")
        browser.close()


if __name__ == "__main__":
    main()
