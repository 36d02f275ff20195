"""What an action is once it is read, the names it can have, and reading it from a JSON object."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from agents.parsing.slip import Slip
from agents.parsing.tool_input import TOOL_KEYS, first_value, text_of

FINISH = "Finish"
FINISH_NAMES = (
    *("finish", "finished", "final answer", "final_answer", "finalanswer", "answer", "完成", "结束", "結束"),
    *("最终答案", "最終答案"),
)
_THOUGHT_KEYS = ("thought", "thoughts", "reasoning", "思考")
NONE = re.compile(
    r"(?:none|n/?a|null|nil|nothing)\b|no (?:further |more |other )?(?:action|tool)s?\b"
    r"|(?:无|無|没有|沒有|不需要|无需|無需|不用|暂无)|[-–—]+\s*$",
    re.IGNORECASE,
)

ActionKind = Literal["tool", "unknown_tool", "finish", "none", "unreadable"]


@dataclass(frozen=True)
class ReadAction:
    """One action as it was read. `end` is where it ends in the text, marks around it included.

    `thought` is set only where an object holds the thought beside the action.
    """

    kind: ActionKind
    name: str = ""
    input: str = ""
    end: int = 0
    closed: bool = True
    slips: tuple[Slip, ...] = ()
    thought: str = ""


def canonical_name(name: str, tools: Sequence[str]) -> str:
    """The tool's own spelling of this name, "Finish" for any word that means it, else the name as it is."""
    exact = {tool.casefold(): tool for tool in tools}
    aliases = dict.fromkeys(FINISH_NAMES, FINISH) | exact
    return aliases.get(name.strip().casefold(), name.strip())


def kind_of(name: str, tools: Sequence[str]) -> Literal["tool", "unknown_tool", "finish"]:
    """What a call of this name is."""
    return "finish" if name == FINISH else "tool" if name in tools else "unknown_tool"


def action_from_object(found: object, end: int, tools: Sequence[str]) -> ReadAction:
    """The action that a JSON object describes: a tool under one of the usual keys, its input under another."""
    if not isinstance(found, dict):
        return ReadAction("unreadable", end=end)
    thought = text_of(first_value(found, _THOUGHT_KEYS)) or ""
    named = first_value(found, TOOL_KEYS)
    if isinstance(named, dict):
        found, named = named, first_value(named, TOOL_KEYS)
    slips: tuple[Slip, ...] = (Slip("json_action"),)
    if named is None:
        answer = text_of(first_value(found, ("final_answer", "finish", "answer", "最终答案", "答案")))
        if answer is None:
            return ReadAction("unreadable", end=end)
        return ReadAction("finish", FINISH, answer, end, True, slips, thought)
    if not isinstance(named, str):
        return ReadAction("unreadable", end=end)
    if NONE.match(named.strip()):
        return ReadAction("none", end=end, thought=thought)
    written = re.match(r"(?P<name>.*?)[\[(](?P<inside>.+)[\])]$", named.strip())  # {"action": "Search[abc]"}
    if written:
        named = written["name"]
    rest = {key: item for key, item in found.items() if str(key).casefold() not in (*TOOL_KEYS, *_THOUGHT_KEYS)}
    value = text_of(written["inside"] if written else rest or "")
    if value is None:
        return ReadAction("unreadable", named, "", end)
    canonical = canonical_name(named, tools)
    if canonical != named:
        slips += (Slip("tool_name_case"),)
    return ReadAction(kind_of(canonical, tools), canonical, value, end, True, slips, thought)
