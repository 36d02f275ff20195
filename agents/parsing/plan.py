"""Reads a planner's reply as a list of steps.

A list literal in a fence counts first, then one at the start of a line, then a list in lines, then a literal
anywhere. Nothing is evaluated (`list_literal`), and nothing that is no text becomes a step.
"""

import re

from agents.errors import FormatError
from agents.parsing.fences import fenced_blocks
from agents.parsing.list_lines import read_lines
from agents.parsing.list_literal import NotALiteral, scan_value
from agents.parsing.plan_steps import HAS_LETTERS, ReadPlan, is_template, plan_from
from agents.parsing.reasoning import split_reasoning
from agents.parsing.slip import Slip

_LIST_AT_LINE_START = re.compile(r"(?:^|[=:：])[ \t*`]*(?=[\[【［{]|\(\s*[\"'“])", re.MULTILINE)
_LIST_IN_FENCE = re.compile(r"(?<![A-Za-z0-9_)\]])(?=[\[【［{])|(?:^|=)[ \t]*(?=\(\s*[\"'“])", re.MULTILINE)
_LIST_ANYWHERE = re.compile(r"(?<![A-Za-z0-9_)\]])(?=[\[【［{]\s*[\"'“‘「\[{(])")


def read_plan(text: str, most: int = 20) -> ReadPlan:
    r"""The steps, `most` of them at the most. Raises FormatError with a key of `wording`'s faults.

    >>> read_plan('```python\nplan = ["Find A", "Compare"]\nprint(plan)\n```')
    ReadPlan(steps=('Find A', 'Compare'), slips=())
    >>> read_plan("1. Find A\n2. Compare").slips
    (Slip(rule='listed_in_lines', cut=''),)
    """
    reply, reasoning = split_reasoning(text)
    slips = (Slip("reasoning_removed", reasoning),) if reasoning else ()
    if not reply.strip():
        raise FormatError("reasoning_only" if reasoning else "no_plan")
    plan = _first_plan(reply)
    if len(plan.steps) > most:
        capped = Slip("plan_capped", "\n".join(plan.steps[most:]))
        plan = ReadPlan(plan.steps[:most], (*plan.slips, capped))
    return ReadPlan(plan.steps, slips + plan.slips)


def _first_plan(reply: str) -> ReadPlan:
    """The first plan that can be read; else the fault of the first list that could not."""
    blocks = [block.text for block in fenced_blocks(reply)]
    faults: list[str] = []
    for block in blocks:
        plan = _literal_plan(block, _LIST_IN_FENCE, faults)
        if plan:
            return plan
    for block in blocks:
        plan = None if _is_code(block) else _lines_plan(block, 1, faults) or _bare_items(block, faults)
        if plan:
            return plan
    prose = _without_blocks(reply)
    attempts = (
        _literal_plan(prose, _LIST_AT_LINE_START, faults) or _bare_items(prose, faults),
        _lines_plan(prose, 1 if read_lines(prose).is_numbered else 2, faults),
        _literal_plan(prose, _LIST_ANYWHERE, faults),
        _lines_plan(prose, 1, faults),
    )
    plan = next((attempt for attempt in attempts if attempt), None)
    if plan is None:
        specific = [fault for fault in faults if fault != "not_a_literal"]
        raise FormatError((specific or faults or ["no_plan"])[0])
    return plan


def _literal_plan(text: str, places: re.Pattern[str], faults: list[str]) -> ReadPlan | None:
    """The first list or object of steps at one of these places. Adds to `faults` why others are none."""
    read_until = 0
    for place in places.finditer(text):
        if place.end() < read_until:
            continue
        try:
            scan = scan_value(text, place.end())
            plan = plan_from(scan)
        except NotALiteral:
            faults.append("not_a_literal")
            continue
        except FormatError as error:
            faults.append(error.rule)
            read_until = scan.position
            continue
        return plan
    if not places.search(text) and re.match(r"\s*[\"“][^\n]+[\"”]\s*[,，]?\s*\n?\s*[\"“]", text):
        return _literal_plan(f"［{text.strip()}]", re.compile("^"), faults)
    return None


def _lines_plan(text: str, least: int, faults: list[str]) -> ReadPlan | None:
    """The plan in numbered or bulleted lines, where it has at least so many items."""
    items = read_lines(text).items
    steps = tuple(item for item in items if HAS_LETTERS.search(item))
    if len(steps) < least:
        return None
    if is_template(steps):
        faults.append("template_echo")
        return None
    dropped = tuple(item for item in items if item not in steps)
    slips = (Slip("listed_in_lines"),)
    return ReadPlan(steps, (*slips, Slip("dropped_items", "\n".join(dropped).strip())) if dropped else slips)


def _bare_items(text: str, faults: list[str]) -> ReadPlan | None:
    """The plan in a list whose items have no quotes: [Find A, Compare]."""
    whole = re.fullmatch(r"\s*(?:\w+\s*=\s*)?[\[【［]([^\[\]【】［］(){}\"'=]+)[\]】］]\s*", text)
    items = [item.strip() for item in re.split(r"[,，、;；\n]+", whole[1])] if whole else []
    steps = tuple(item for item in items if HAS_LETTERS.search(item))
    if len(steps) == 1 and re.fullmatch(r"\w+ for \w+ in \w+", steps[0]):
        return None
    if not any(re.search(r"\S\s+\S|[\u4e00-\u9fff]", step) for step in steps):
        return None
    if is_template(steps):
        faults.append("template_echo")
        return None
    return ReadPlan(steps, (Slip("mended_list"),))


def _is_code(block: str) -> bool:
    return re.search(r"^\s*(?:import|from|def|class|print)\b|^\s*\w+\s*=(?!=)", block, re.MULTILINE) is not None


def _without_blocks(reply: str) -> str:
    for block in reversed(fenced_blocks(reply)):
        reply = reply[: block.start] + reply[block.end :]
    return reply
