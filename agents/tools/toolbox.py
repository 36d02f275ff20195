"""The tools that a run may use, by name, and what the model is told about them.

A tool of one's own is one small function and one line in `default_toolbox`, beside Search and Calculator:

    def count_words(text: str) -> str:
        return str(len(text.split()))

    Tool("WordCount", {"en": "WordCount[text]: counts the words of a text"}, count_words)

What the model can mend becomes an observation: a ToolError (which names the fault best), and what Python raises where
a function cannot use its input or cannot reach something. Any other exception is a bug of the tool and is not caught.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agents import wording
from agents.errors import ToolError
from agents.events import Language, Observation
from agents.stopping import StopSignal, run_until_stopped
from agents.tools.calculator import calculate
from agents.tools.sample_search import sample_search
from agents.tools.web_search import web_search

MAX_CHARACTERS = 6_000

# int("three"), PRICES["bread"], 1 / 0, a server that is down: a tool's input or the world, not its code
FAULTS_OF_THE_INPUT = (ValueError, LookupError, ArithmeticError, OSError)


@dataclass(frozen=True)
class Tool:
    """A function that an agent may call by its name.

    `usage` is one line for the model, in one language or more: what the tool does and how to call it.
    `function` raises ToolError where it cannot do what it was asked.
    """

    name: str
    usage: dict[Language, str]
    function: Callable[[str], str]


class Toolbox:
    """Tools by name. `language` is that of the sentences which the model is shown."""

    def __init__(self, tools: Sequence[Tool], language: Language = "en") -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._language: Language = language

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools, in order."""
        return tuple(self._tools.values())

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the tools, in order."""
        return tuple(self._tools)

    def describe(self) -> str:
        """One line for each tool: what a prompt's {tools} becomes. It says so where there is none."""
        lines = [self.usage(name) for name in self._tools]
        return "\n".join(lines) or wording.sentence("step.no_tools", self._language)

    def listed(self) -> str:
        """The names in one line, for a sentence. It says so where there is none."""
        return ", ".join(self._tools) or wording.sentence("step.no_tools", self._language)

    def usage(self, name: str) -> str:
        """The line that tells the model how to call this tool; in another language where there is none in its own."""
        lines = self._tools[name].usage
        return lines.get(self._language) or next(iter(lines.values()))

    @property
    def language(self) -> Language:
        """The language of the sentences which the model is shown."""
        return self._language

    def without(self, *names: str) -> "Toolbox":
        """The same tools but for those with these names."""
        return Toolbox([tool for tool in self.tools if tool.name not in names], self._language)

    def use(self, name: str, input: str, stop: StopSignal) -> Observation:
        """What the tool says about this input, at most 6,000 characters, and the time it took in seconds (to 0.01).

        A tool that fails, or that does not exist, is an observation with `is_error`. Raises Stopped.
        """
        if name not in self._tools:
            values = {"name": name, "names": ", ".join(self._tools)}
            return Observation(wording.sentence("tool.unknown_tool", self._language, values), is_error=True)
        began = time.monotonic()
        try:
            text, is_error = self._output(name, input, stop), False
        except ToolError as error:
            text, is_error = wording.describe_tool_error(error, self._language), True
        except FAULTS_OF_THE_INPUT as error:
            text, is_error = self._say("input_not_usable", f"{type(error).__name__}: {error}"), True
        return Observation(self._cut(text), is_error, round(time.monotonic() - began, 2))

    def _output(self, name: str, input: str, stop: StopSignal) -> str:
        function = self._tools[name].function
        usable = input.encode("utf-8", "replace").decode()  # half of an emoji cannot be sent anywhere
        output = str(run_until_stopped(lambda: function(usable), stop))  # a beginner's function returns a number
        return output if output.strip() else self._say("no_output", "")

    def _cut(self, text: str) -> str:
        if len(text) <= MAX_CHARACTERS:
            return text
        note = "\n" + self._say("cut", f"{len(text):,}")
        return text[: MAX_CHARACTERS - len(note)] + note

    def _say(self, kind: str, detail: str) -> str:
        return wording.sentence(f"tool.{kind}", self._language, {"detail": detail})


CALCULATOR = Tool(
    "Calculator",
    {
        "en": "Calculator[expression]: works out arithmetic, such as Calculator[(12 + 8) * 3]",
        "zh": "Calculator[算式]：计算算术式，例如 Calculator[(12 + 8) * 3]",
    },
    calculate,
)


def search_tool(function: Callable[[str], str]) -> Tool:
    """The tool Search, whatever it is that looks things up."""
    usage: dict[Language, str] = {
        "en": "Search[words]: looks up one fact with a search engine",
        "zh": "Search[搜索词]：用搜索引擎查一个事实",
    }
    return Tool("Search", usage, function)


def default_toolbox(serpapi_key: str = "", language: Language = "en") -> Toolbox:
    """Search and Calculator. Search asks SerpApi where there is a key for it, else the built-in sample snippets."""
    search = web_search(serpapi_key, language) if serpapi_key.strip() else sample_search
    return Toolbox([search_tool(search), CALCULATOR], language)
