"""Parting a reply from the reasoning in it."""

import pytest

from agents.parsing.reasoning import split_reasoning


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("abc", ("abc", "")),
        ("<think></think>\n\nabc", ("abc", "")),
        ("<think>a<think>b</think>c</think>d", ("d", "a\nb\nc")),
        ("x <think>a</think> y <think>b</think> z", ("x  y  z", "a\nb")),
        ("a</think>b", ("b", "a")),
        ("Use `<think>` tags", ("Use `<think>` tags", "")),
        ("<think>a</think>```\nx\n```", ("```\nx\n```", "a")),
        ("abc <think>d", ("abc ", "d")),
    ],
)
def test_parts_reply_and_reasoning(text: str, parts: tuple[str, str]) -> None:
    assert split_reasoning(text) == parts
