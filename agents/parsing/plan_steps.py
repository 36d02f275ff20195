"""Turns a value that was read into the steps of a plan: unwraps objects, flattens lists, drops what is no text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agents.errors import FormatError
from agents.parsing.list_lines import read_lines
from agents.parsing.list_literal import Dots, Item, Scan
from agents.parsing.slip import Slip

_STEP_KEYS = (
    *("task", "step", "description", "title", "action", "content", "text", "name", "goal", "instruction", "query"),
    *("步骤", "任务", "描述", "内容", "标题"),
)
_WRAPPER_KEYS = ("plan", "steps", "actions", "queries", "tasks", "todo", "计划", "步骤", "任务")
HAS_LETTERS = re.compile(r"[^\W\d_]")
_ECHO = re.compile(
    r"\W*(?:(?:the )?(?:first|second|third|fourth|next|last) (?:sub-?)?(?:step|task)"
    r"|(?:description of )?(?:sub-?)?(?:step|task)\s*(?:#?\d+|one|two|three|four|five|[nxi])?"
    r"|(?:子?步骤|子?步驟|子?任务|子?任務)\s*(?:\d+|[一二三四五六七八九十]+|[nN])?"
    r"|第\s*(?:\d+|[一二三四五六七八九十]+|[nN])\s*(?:步骤?|个?步骤|个?任务))\W*",
    re.IGNORECASE,
)
_OWN_NUMBER = re.compile(
    r"\s*(?:(?:step|步骤|步驟)\s*(\d+)\s*[.:：)、]|(\d+)\s*(?:[)、:：]|\.(?!\d)))\s*", re.IGNORECASE
)


@dataclass(frozen=True)
class ReadPlan:
    """The plan's steps, and what had to be mended or dropped to get them."""

    steps: tuple[str, ...]
    slips: tuple[Slip, ...]


def plan_from(scan: Scan) -> ReadPlan:
    """The steps in a value that was read. Raises FormatError where it holds none."""
    value, was_wrapped = _unwrapped(scan.value)
    if isinstance(value, str) and HAS_LETTERS.search(value):
        value = list(read_lines(value).items or value.splitlines())
    if not isinstance(value, list):
        raise FormatError("no_plan" if scan.is_truncated else "not_a_list")
    flat = list(_flattened(value))
    steps: list[str] = []
    dropped: list[str] = []
    for item in flat:
        step = _step(item)
        if step is not None:
            steps.append(step)
        elif not isinstance(item, Dots):
            dropped.append(str(item))
    if not steps:
        if scan.is_truncated:
            raise FormatError("not_a_literal" if re.search(r"[\]】］]", scan.cut) else "no_plan")
        raise FormatError("no_text_steps" if any(not isinstance(item, str | Dots) for item in flat) else "empty_plan")
    if is_template(steps):
        raise FormatError("template_echo")
    bare = _without_numbers(steps)
    slips = [
        (was_wrapped, Slip("unwrapped")),
        (any(isinstance(item, list) for item in value), Slip("nested_list")),
        (any(isinstance(item, dict) for item in flat), Slip("steps_as_objects")),
        (scan.is_mended or scan.text.startswith("［"), Slip("mended_list")),
        (len(steps) < len(flat), Slip("dropped_items", "\n".join(dropped).strip())),
        (bare != steps, Slip("numbering_removed")),
        (scan.is_truncated, Slip("truncated", scan.cut)),
    ]
    return ReadPlan(tuple(bare), tuple(slip for applies, slip in slips if applies))


def is_template(steps: Sequence[str]) -> bool:
    """Whether the steps only repeat the example of the prompt.

    >>> is_template(["步骤1", "Step two", "<step 3>"]), is_template(["Step 1: Find A"])
    (True, False)
    """
    return all(_ECHO.fullmatch(step) for step in steps)


def _unwrapped(value: Item) -> tuple[Item, bool]:
    """The list inside an object: under a usual key, else its only list, else its values in order."""
    if not isinstance(value, dict):
        return value, False
    by_key = {key.casefold(): item for key, item in value.items()}
    named = next((by_key[key] for key in _WRAPPER_KEYS if key in by_key), None)
    if named is not None:
        return _unwrapped(named)[0], True
    lists = [item for item in value.values() if isinstance(item, list)]
    if len(lists) == 1:
        return lists[0], True
    inner = list(value.values())
    if len(inner) == 1 and isinstance(inner[0], dict):
        return _unwrapped(inner[0])[0], True
    are_numbered = all(re.fullmatch(r"\D*\d+\D*|第?[一二三四五六七八九十]+步?", key) for key in value)
    return (list(value.values()), True) if value and are_numbered else (None, True)


def _flattened(items: list[Item]) -> list[Item]:
    flat: list[Item] = []
    for item in items:
        flat += _flattened(item) if isinstance(item, list) else [item]
    return flat


def _step(item: Item) -> str | None:
    """The step's text; None where the item is no text."""
    if isinstance(item, dict):
        by_key = {key.casefold(): value for key, value in item.items()}
        found = (by_key.get(key) for key in _STEP_KEYS)
        texts = [*found, *item.values()]
        return next((step for text in texts if isinstance(text, str) and (step := _step(text))), None)
    if not isinstance(item, str) or not HAS_LETTERS.search(item):
        return None
    return item.strip()


def _without_numbers(steps: list[str]) -> list[str]:
    """The steps without numbers of their own, where all of them count from 1."""
    numbers = [_OWN_NUMBER.match(step) for step in steps]
    counted = [int(number[1] or number[2]) for number in numbers if number]
    if counted != list(range(1, len(steps) + 1)):
        return steps
    return [_OWN_NUMBER.sub("", step, count=1) for step in steps]
