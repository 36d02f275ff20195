import re
import threading
from pathlib import Path

import pytest

from agents import tools, wording
from agents.errors import Stopped, ToolError
from agents.events import Observation
from agents.stopping import StopSignal
from agents.tools.toolbox import Tool, Toolbox, default_toolbox


def toolbox_with(function: object) -> Toolbox:
    return Toolbox([Tool("Own", {"en": "Own[text]: a tool of one's own"}, function)])  # type: ignore[arg-type]


def refuse(text: str) -> str:
    raise ToolError("division_by_zero")


def forget_the_input(text: str) -> str:
    return undefined_name  # type: ignore[name-defined,no-any-return]  # noqa: F821


def test_a_tool_answers_with_an_observation() -> None:
    assert default_toolbox().use("Calculator", "(12 + 8) * 3", StopSignal()) == Observation("60")


def test_a_tool_that_fails_is_an_observation_that_names_the_fault() -> None:
    observation = toolbox_with(refuse).use("Own", "1/0", StopSignal())
    assert observation.is_error
    assert observation.text.startswith("Division by zero")


def test_a_fault_with_a_kind_of_its_own_speaks_for_itself() -> None:
    def refuse_in_own_words(text: str) -> str:
        raise ToolError("too_early", "Ask again after nine o'clock.")

    observation = toolbox_with(refuse_in_own_words).use("Own", "", StopSignal())
    assert observation == Observation("Ask again after nine o'clock.", is_error=True)


def test_input_that_a_simple_function_cannot_read_is_an_observation() -> None:
    observation = toolbox_with(lambda text: str(int(text))).use("Own", "three", StopSignal())
    assert observation.is_error
    assert "ValueError: invalid literal for int() with base 10: 'three'" in observation.text


def test_a_bug_of_a_tool_is_not_hidden() -> None:
    with pytest.raises(NameError):
        toolbox_with(forget_the_input).use("Own", "text", StopSignal())


def test_an_unknown_tool_is_answered_with_the_names() -> None:
    observation = default_toolbox().use("serch", "x", StopSignal())
    assert observation == Observation("There is no tool 'serch'. Choose one of: Search, Calculator.", is_error=True)


def test_long_output_is_cut_with_a_note() -> None:
    text = toolbox_with(lambda text: "a" * 9_000).use("Own", "", StopSignal()).text
    assert len(text) == 6_000
    assert text.endswith("a\n[cut here: the whole output has 9,000 characters]")


def test_output_of_just_the_allowed_length_is_not_cut() -> None:
    assert toolbox_with(lambda text: "a" * 6_000).use("Own", "", StopSignal()).text == "a" * 6_000


def test_a_number_is_made_text() -> None:
    assert toolbox_with(len).use("Own", "four", StopSignal()) == Observation("4")


def test_empty_output_is_said_in_words() -> None:
    assert toolbox_with(lambda text: " ").use("Own", "x", StopSignal()).text.startswith("The tool returned nothing")


def test_half_an_emoji_does_no_harm() -> None:
    assert toolbox_with(lambda text: text).use("Own", "a\ud83d", StopSignal()).text == "a?"


def test_stopping_ends_a_tool_that_waits() -> None:
    stop = StopSignal()

    def wait_for_ever(text: str) -> str:
        stop.set()
        threading.Event().wait(30)
        return text

    with pytest.raises(Stopped):
        toolbox_with(wait_for_ever).use("Own", "x", stop)


def test_describes_each_tool_in_one_line() -> None:
    search, calculator = default_toolbox().describe().splitlines()
    assert search.startswith("Search[words]: ")
    assert calculator.startswith("Calculator[expression]: ")


def test_describes_and_answers_in_chinese() -> None:
    toolbox = default_toolbox(language="zh")
    assert toolbox.usage("Calculator").startswith("Calculator[算式]")
    assert toolbox.use("Calculator", "1/0", StopSignal()).text.startswith("除数为零")


def test_a_tool_that_is_described_in_one_language_is_described_in_it_everywhere() -> None:
    toolbox = Toolbox([Tool("Own", {"en": "Own[text]: a tool of one's own"}, str.upper)], "zh")
    assert toolbox.describe() == "Own[text]: a tool of one's own"


def test_tools_can_be_left_out() -> None:
    assert default_toolbox().without("Search").names == ("Calculator",)


def test_search_without_a_key_says_that_it_is_not_live() -> None:
    observation = default_toolbox(serpapi_key=" ").use("Search", "height of the Eiffel Tower", StopSignal())
    assert observation.text.startswith("[built-in sample snippets, not a live search]\nThe Eiffel Tower")


def test_every_kind_of_fault_has_a_sentence() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in Path(tools.__path__[0]).glob("*.py"))
    kinds = set(re.findall(r'ToolError\("(\w+)"', code))
    assert kinds - set(wording.entries("tool")) == set()


def test_every_sentence_is_there_in_both_languages() -> None:
    assert {tuple(entry) for entry in wording.entries("tool").values()} == {("en", "zh")}
