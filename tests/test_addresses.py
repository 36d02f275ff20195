import json
from pathlib import Path

import pytest

from agents.models.addresses import PRESETS, is_web_address, normalize_base_url

CASES = {
    case["id"]: case
    for case in map(json.loads, (Path(__file__).parent / "cases/model_streams.jsonl").read_text("utf-8").splitlines())
}


@pytest.mark.parametrize("name", ["D39", "D40", "D41", "D42", "D43", "D45"])
def test_normalizes_a_base_url(name: str) -> None:
    assert normalize_base_url(CASES[name]["input"]["base_url"]) == CASES[name]["expected"]["normalized"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("", ""),
        ("  'https://api.example.com/v1' ", "https://api.example.com/v1"),
        ("https://api.deepseek.com", "https://api.deepseek.com/v1"),
        ("https://openrouter.ai/api", "https://openrouter.ai/api/v1"),
        (
            "https://dashscope.aliyuncs.com/compatible-mode/v1/chat/completions/",
            "https://dashscope.aliyuncs.com/compatible-mode/v1",
        ),
        ("api.example.com", "https://api.example.com/v1"),
        ("192.168.1.5:8000", "http://192.168.1.5:8000/v1"),
        ("0.0.0.0:8080", "http://127.0.0.1:8080/v1"),
        ("http://localhost:11434/api/generate", "http://localhost:11434/v1"),
        ("http://[half", "http://[half"),
        ("http：//localhost：1234", "http://localhost:1234/v1"),
        ("https://example.com/proxy/openai", "https://example.com/proxy/openai"),
        (
            "https://generativelanguage.googleapis.com/v1beta/openai/",
            "https://generativelanguage.googleapis.com/v1beta/openai",
        ),
    ],
)
def test_normalizes_other_base_urls(typed: str, meant: str) -> None:
    assert normalize_base_url(typed) == meant


@pytest.mark.parametrize("url", PRESETS.values())
def test_a_preset_is_as_it_should_be(url: str) -> None:
    assert normalize_base_url(url) == url


@pytest.mark.parametrize("url", ["htp:/nonsense", "http:/api.example.com", "http://["])
def test_what_is_no_web_address_is_left_as_it_is_and_called_that(url: str) -> None:
    assert normalize_base_url(url) == url
    assert not is_web_address(url)
