import pytest

from agents.models.stop_text import StopCutter
from agents.models.think_tags import Span, ThinkTagSplitter


def split(pieces: list[str]) -> list[Span]:
    splitter = ThinkTagSplitter()
    return [span for piece in pieces for span in splitter.feed(piece)] + splitter.end()


def joined(spans: list[Span], is_reasoning: bool) -> str:
    return "".join(span.text for span in spans if span.is_reasoning == is_reasoning)


@pytest.mark.parametrize(
    ("whole", "text", "reasoning"),
    [
        ("<think>why</think>\n\nso", "so", "why"),
        ("\n <think>\nwhy\n</think>so", "so", "\nwhy\n"),
        ("<THINKING>why</Thinking> so", "so", "why"),
        ("a <think>b</think> c <think>d</think> e", "a c e", "bd"),
        ("<think>a < b</think>so", "so", "a < b"),
        ("<think></think>so", "so", ""),
        ("<think>why", "", "why"),
        ("<think>why</thi", "", "why</thi"),
        ("if a <thin and b < c", "if a <thin and b < c", ""),
        ("<think>why</think>so</think>lo", "solo", "why"),
        ("  so", "so", ""),
        ("", "", ""),
    ],
)
def test_splits_alike_whole_and_character_by_character(whole: str, text: str, reasoning: str) -> None:
    spans, characters = split([whole]), split(list(whole))
    assert (joined(spans, False), joined(spans, True)) == (text, reasoning)
    assert (joined(characters, False), joined(characters, True)) == (text, reasoning)


def test_a_closing_tag_alone_says_that_all_before_it_was_reasoning() -> None:
    assert split(["why</thi", "nk> so"]) == [Span("why"), Span("", ends_reasoning=True), Span("so")]


def test_holds_back_what_may_become_a_tag() -> None:
    splitter = ThinkTagSplitter()
    assert [splitter.feed(piece) for piece in ["a<", "thin", "g"]] == [[Span("a")], [], [Span("<thing")]]


def cut(stops: tuple[str, ...], pieces: list[str]) -> str:
    cutter = StopCutter(stops)
    return "".join(cutter.feed(piece) for piece in pieces) + cutter.end()


@pytest.mark.parametrize(
    ("stops", "whole", "kept"),
    [
        (("Observation",), "Action: a\nObservation: b", "Action: a\n"),
        (("Observation",), "Observation: b", ""),
        (("Observation",), "Observe", "Observe"),
        (("b", "a"), "xxab", "xx"),
        (("aab",), "aaab", "a"),
        (("",), "text", "text"),
        ((), "text", "text"),
        (("观察",), "行动\n观察：", "行动\n"),
    ],
)
def test_cuts_alike_whole_and_character_by_character(stops: tuple[str, ...], whole: str, kept: str) -> None:
    assert cut(stops, [whole]) == kept
    assert cut(stops, list(whole)) == kept
