"""What differs between two texts, and how it is shown."""

import pytest

from components.differences import differences, differences_as_html

PAIRS = [
    ("", ""),
    ("", "new"),
    ("old", ""),
    ("a\r\nb\x0cc", "a\nb"),
    ("one\ntwo\nthree\n", "one\n2\nthree"),
    ("请简短回答。", "请详细回答！"),
    ("def f(x):\n    return x\n", "def f(x, y):\n\treturn x + y\n"),
    ("same", "same"),
]


@pytest.mark.parametrize(("before", "after"), PAIRS)
def test_both_texts_can_be_put_together_from_the_differences(before: str, after: str) -> None:
    found = differences(before, after)
    assert "".join(text for kind, text in found if kind != "added") == before
    assert "".join(text for kind, text in found if kind != "removed") == after


def test_only_the_words_that_differ_are_marked() -> None:
    found = differences("Use a tool in every turn.\nStop then.\n", "Use one tool in every turn.\nStop then.\n")
    assert found == [
        ("same", "Use "),
        ("removed", "a "),
        ("added", "one "),
        ("same", "tool in every turn.\nStop then.\n"),
    ]


def test_lines_that_have_little_in_common_are_shown_whole() -> None:
    found = differences("keep\nWork it out in words.\n", "keep\nreturn total / count\n")
    assert found == [("same", "keep\n"), ("removed", "Work it out in words.\n"), ("added", "return total / count\n")]


def test_shown_as_typed_without_becoming_html() -> None:
    shown = differences_as_html(differences("<b>&", "<script>&"))
    assert "<script>" not in shown
    assert "<b>" not in shown
    assert "&amp;" in shown


def test_not_told_apart_by_colour_alone() -> None:
    shown = differences_as_html([("removed", "old"), ("added", "new")])
    assert "<del" in shown
    assert "line-through" in shown
    assert "<ins" in shown
    assert "underline" in shown


def test_a_change_of_white_space_alone_can_be_seen() -> None:
    assert "↵" in differences_as_html(differences("a\nb", "a\n\nb"))
    assert "·" in differences_as_html([("added", "  ")])


def test_a_long_text_does_not_take_long() -> None:
    before = " ".join(f"word{number % 50}" for number in range(5000))
    assert differences(before, before + " end")[-1][0] == "added"
