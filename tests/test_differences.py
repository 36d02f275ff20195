"""What differs between two texts, and how it is shown."""

import pytest

from components.differences import Difference, differences, differences_as_html, near_changes

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


BEFORE = {
    "en": "Use the tools.\nOne\nTwo\nThree\nFour\nAnswer briefly.\nFive\nSix\nSeven\nEnd.\n",
    "zh": "使用工具。\n一\n二\n三\n四\n请简短回答。\n五\n六\n七\n结束。\n",
}
AFTER = {lang: text.replace("briefly", "at length").replace("简短", "详细") for lang, text in BEFORE.items()}


OLD, NEW = "Work it out in words.\n", "return total / count\n"  # so different that they are shown whole


def near(before: str, after: str, lines: int) -> list[Difference]:
    return near_changes(differences(before, after), lines)


def test_what_is_far_from_a_change_is_left_out() -> None:
    assert near(BEFORE["en"], AFTER["en"], 2) == [
        ("same", "⋯\nFour\nAnswer "),
        ("removed", "briefly"),
        ("added", "at length"),
        ("same", ".\nFive\n⋯"),
    ]


def test_what_is_far_from_a_change_is_left_out_in_chinese() -> None:
    assert near(BEFORE["zh"], AFTER["zh"], 2) == [
        ("same", "⋯\n四\n请"),
        ("removed", "简短"),
        ("added", "详细"),
        ("same", "回答。\n五\n⋯"),
    ]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_changes_themselves_are_never_shortened(lang: str) -> None:
    whole = differences(BEFORE[lang], AFTER[lang])
    near_ones = near(BEFORE[lang], AFTER[lang], 1)
    assert [each for each in near_ones if each[0] != "same"] == [each for each in whole if each[0] != "same"]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_nothing_is_left_out_where_all_is_near_a_change(lang: str) -> None:
    assert near(BEFORE[lang], AFTER[lang], 20) == differences(BEFORE[lang], AFTER[lang])


@pytest.mark.parametrize("lines", [1, 2, 3])
def test_between_two_changes_both_ends_are_kept(lines: int) -> None:
    same = "".join(f"{number}\n" for number in range(20))
    between = near(f"{OLD}{same}{OLD}", f"{NEW}{same}{NEW}", lines)[2][1].splitlines()
    assert between == [
        *(f"{number}" for number in range(lines)),
        "⋯",
        *(f"{number}" for number in range(20 - lines, 20)),
    ]


def test_one_line_is_not_replaced_by_a_mark_as_long() -> None:
    same = "1\n2\n3\n"
    assert near(f"{OLD}{same}{OLD}", f"{NEW}{same}{NEW}", 1)[2] == ("same", same)


def test_added_lines_alone_keep_what_stands_around_them() -> None:
    assert near("1\n2\n3\n4\n5\n6\n", "1\n2\n3\nnew\n4\n5\n6\n", 1) == [
        ("same", "⋯\n3\n"),
        ("added", "new\n"),
        ("same", "4\n⋯"),
    ]


@pytest.mark.parametrize(("before", "after"), PAIRS)
def test_near_changes_of_anything_are_no_fault(before: str, after: str) -> None:
    found = near(before, after, 1)
    assert [kind for kind, _ in found] == [kind for kind, _ in differences(before, after)]


def test_texts_without_a_change_come_to_one_mark() -> None:
    assert near("1\n2\n3\n", "1\n2\n3\n", 1) == [("same", "⋯")]
