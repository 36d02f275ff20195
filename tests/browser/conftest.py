"""What the browser tests share: the app as a process of its own, the local model server, and headless Chromium."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.sse_server import SSEServer

expect.set_options(timeout=15_000)  # milliseconds

ROOT = Path(__file__).parents[2]
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass(frozen=True)
class RunningApp:
    """The app as a process: its address and its process id."""

    url: str
    process: int


@contextmanager
def running_app(**environment: str) -> Iterator[RunningApp]:
    """The app, while it runs with these environment variables and no others of its own."""
    port = free_port()
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("LLM_", "SERPAPI_"))}
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true", f"--server.port={port}"]
    with subprocess.Popen(command, cwd=ROOT, env=clean | environment, stdout=subprocess.DEVNULL) as process:
        try:
            wait_for(f"http://127.0.0.1:{port}/_stcore/health")
            yield RunningApp(f"http://127.0.0.1:{port}", process.pid)
        finally:
            process.terminate()


def wait_for(url: str, seconds: float = 30.0) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            urllib.request.urlopen(url, timeout=1).close()
            return
        except (urllib.error.URLError, TimeoutError):
            time.sleep(0.05)
    raise TimeoutError(f"{url} did not answer within {seconds} s")


@pytest.fixture(scope="session")
def model_server() -> Iterator[SSEServer]:
    with SSEServer() as server:
        yield server


@pytest.fixture(scope="session")
def demo_app() -> Iterator[str]:
    """The app as a teacher starts it: no key, no settings."""
    with running_app() as app:
        yield app.url


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1280, "height": 1600}, locale="en-GB")
    context.set_default_timeout(15_000)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()
