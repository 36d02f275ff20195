"""What agents say in their own words, to the model and to the person, in English and Chinese.

One TOML file for each prefix holds the sentences: `slip` (how a reply was mended), `fault` (what was wrong with a
reply, told to the model), `end` (why a run ended), `error` and `hint` (what failed in a model call, and what to do),
`tool` (what a tool could not do), `adjustment` (what was changed to get a reply), `step` (titles and small labels).
Prompts are not here but in `agents.prompts`.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources

from agents.errors import ModelError, ToolError
from agents.events import Language
from agents.prompts.fill import fill, pieces

Entry = dict[str, str]


@cache
def load(package: str, prefix: str) -> dict[str, Entry]:
    """All sentences of a TOML file in a package: `{name: {"en": …, "zh": …}}`."""
    text = resources.files(package).joinpath(f"{prefix}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def entries(prefix: str) -> dict[str, Entry]:
    """All of the agents' sentences with this prefix."""
    return load(__name__, prefix)


def sentence(key: str, language: Language, values: Mapping[str, str] | None = None) -> str:
    """The sentence with this key ("prefix.name"), its `{placeholders}` filled.

    >>> sentence("end.step_limit", "en", {"limit": "6"})
    'The run reached its limit of 6 steps.'
    """
    prefix, name = key.split(".")
    return fill(entries(prefix)[name][language], values or {})


def translated(text: str, prefix: str, language: Language) -> str:
    """A sentence that was said in English, in another language; as it is where it is none with this prefix.

    >>> translated("The server does not take 'temperature', so it was left out.", "adjustment", "zh")
    '服务器不接受参数 temperature，因此没有发送。'
    """
    for entry in entries(prefix).values():
        cut = list(pieces(entry["en"]))
        pattern = "".join(f"(?P<{piece.name}>.*)" if piece.name else re.escape(piece.text) for piece in cut)
        if match := re.fullmatch(pattern, text, re.DOTALL):
            return fill(entry[language], match.groupdict())
    return text


def describe_error(error: ModelError, language: Language) -> tuple[str, str]:
    """What failed and what to do next, as two sentences for a person."""
    entry = entries("error")[error.kind]
    message = entry[language] + (f" ({error.detail})" if error.detail else "")
    next_step = entry[f"{language}_next"]
    if error.hint:
        next_step += " " + sentence(f"hint.{error.hint}", language)
    return message, next_step


def describe_tool_error(error: ToolError, language: Language) -> str:
    """What the tool could not do, as a sentence for the model. A kind without an entry speaks for itself (`detail`)."""
    if error.kind not in entries("tool"):
        return error.detail
    return sentence(f"tool.{error.kind}", language, {"detail": error.detail})
