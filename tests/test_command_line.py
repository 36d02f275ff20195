"""The command line, as a program of its own, on the demo model and on the local server."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.sse_server import Answer, SSEServer, answering, text_chunk

ROOT = Path(__file__).parents[1]
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith(("LLM_", "SERPAPI_"))}


@pytest.fixture
def server() -> Iterator[SSEServer]:
    with SSEServer() as server:
        yield server


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "agents", *arguments]


def call(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*arguments), cwd=ROOT, env=CLEAN | environment, capture_output=True, text=True, timeout=60, check=False
    )


def on(server: SSEServer, *arguments: str) -> subprocess.CompletedProcess[str]:
    return call(*arguments, "--base-url", server.url, "--model", "tester")


def events(output: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


def test_answers_with_no_settings_at_all_on_the_demo_model() -> None:
    done = call(
        "react", "A cinema has 18 rows of 24 seats. On Friday 356 seats were sold. How many seats stayed empty?"
    )
    assert done.returncode == 0, done.stderr
    assert "not a language model" in done.stdout
    assert "76" in done.stdout.split("Answer: ")[1]
    assert "≈" in done.stdout.splitlines()[-1]


def test_shows_a_step_its_observation_the_answer_and_the_totals(server: SSEServer) -> None:
    server.answer(*answering("Thought: sum\nAction: Calculator[2+3]\nObservation: 9", "Action: Finish[It is 5]"))
    done = on(server, "react", "What is 2+3?")
    assert done.returncode == 0
    shown = [
        "Question: What is 2+3?",
        "── 1 · Step 1",
        "Action: Calculator[2+3]",
        "Observation: 5",
        "── 2 · Step 2",
        "Answer: It is 5",
        "2 steps · 2 model calls",
    ]
    assert [part in done.stdout for part in shown] == [True] * len(shown)


def test_json_is_one_event_a_line_and_the_last_is_run_ended(server: SSEServer) -> None:
    server.answer(*answering("Forty-two."))
    done = on(server, "direct", "6 times 7?", "--json")
    names = [event["event"] for event in events(done.stdout)]
    assert names[0] == "RunStarted"
    assert names[-2:] == ["FinalAnswer", "RunEnded"]
    assert all(isinstance(event["at"], float) for event in events(done.stdout))


def test_no_answer_is_exit_code_1(server: SSEServer) -> None:
    server.answer(*answering("I would first think.", "Really, I would."))
    done = on(server, "plan", "How?")
    assert done.returncode == 1
    assert "could not be read as a plan" in done.stdout


def test_a_model_error_is_one_sentence_and_exit_code_2(server: SSEServer) -> None:
    server.answer(Answer(401, "application/json", '{"error": {"message": "Incorrect API key provided"}}'))
    done = on(server, "direct", "6 times 7?")
    assert done.returncode == 2
    assert "Incorrect API key provided" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["guess", "6 times 7?"],
        ["react"],
        ["react", "  "],
        ["react", "x", "--max-steps", "0"],
        ["direct", "x", "--max-steps", "3"],
        ["react", "--replay", "no_such_file.json"],
        ["react", "x", "--save", "no_such_folder/run.json", "--model", "demo"],
    ],
)
def test_wrong_use_is_a_sentence_and_exit_code_2(arguments: list[str]) -> None:
    done = call(*arguments)
    assert done.returncode == 2
    assert done.stderr
    assert "Traceback" not in done.stderr


def test_a_saved_run_is_replayed_without_a_model(server: SSEServer, tmp_path: Path) -> None:
    server.answer(*answering("Forty-two."))
    file = str(tmp_path / "run.json")
    live = on(server, "direct", "6 times 7?", "--save", file)
    replayed = call("--replay", file)
    assert replayed.returncode == 0
    assert replayed.stdout == live.stdout
    assert len(server.exchanges) == 1


def test_speaks_chinese_on_request(server: SSEServer) -> None:
    server.answer(*answering("四十二。"))
    done = on(server, "direct", "6乘7？", "--language", "zh")
    assert "答案：四十二。" in done.stdout
    assert "请回答问题" in server.bodies[0]["messages"][0]["content"]


def test_the_key_of_the_settings_goes_to_no_other_address(server: SSEServer) -> None:
    server.answer(*answering("42"))
    call("direct", "x", "--base-url", server.url, "--model", "m", LLM_API_KEY="sk-secret", LLM_MODEL_ID="gpt")
    assert "sk-secret" not in str(server.exchanges[0].headers)


def test_ctrl_c_drops_the_connection_at_once_and_prints_the_totals(server: SSEServer) -> None:
    server.answer(Answer(chunks=[text_chunk("Thought: half\na")], done=False, hold=True))
    arguments = command("react", "x", "--base-url", server.url, "--model", "slow")
    with subprocess.Popen(arguments, cwd=ROOT, env=CLEAN, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        shown = next(line for line in process.stdout if "Thought: half" in line)
        pressed = time.monotonic()
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=10)
    server.wait_until(lambda: server.exchanges[0].dropped_at is not None)
    assert (server.exchanges[0].dropped_at or pressed + 99) - pressed < 0.2
    assert process.returncode == 1
    assert shown == "Thought: half\n"
    assert "You stopped the run." in output
    assert "1 model calls" in output.splitlines()[-1]


def test_a_reader_that_leaves_is_no_error() -> None:
    done = subprocess.run(
        f"{sys.executable} -m agents direct 'What is 6 * 7?' --model demo | head -n 1",
        shell=True, cwd=ROOT, env=CLEAN, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
