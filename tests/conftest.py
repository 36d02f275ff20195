"""Fixtures that several test files share."""

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from agents.models.demo import DemoModel
from tests.sse_server import SSEServer


@pytest.fixture
def nothing_is_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No variable and no .env of the machine reaches the app, and the demo model and the drawing do not pause."""
    for name in [name for name in os.environ if name.startswith(("LLM_", "SERPAPI_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setattr("agents.models.settings.ENV_FILE", tmp_path / ".env")
    monkeypatch.setattr("agents.models.openai_chat.RETRY_WAITS", (0.0, 0.0))
    monkeypatch.setattr("components.connection.DemoModel", partial(DemoModel, 0.0, 0.0))
    monkeypatch.setattr("components.run_view.TICK", 0.01)


@pytest.fixture
def app_server(nothing_is_set: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[SSEServer]:
    """The local server, set as the app's model."""
    with SSEServer() as server:
        monkeypatch.setenv("LLM_BASE_URL", server.url)
        monkeypatch.setenv("LLM_MODEL_ID", "tester")
        monkeypatch.setenv("LLM_API_KEY", "sk-server-secret")
        yield server
