"""Finds the first action of a ReAct reply: behind its label, bare at the start of a line, or as a JSON object.

A labelled action counts before one without a label, since thoughts mention tools too.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from agents.parsing.action import read_action
from agents.parsing.action_object import FINISH, ReadAction, action_from_object, canonical_name, kind_of
from agents.parsing.fences import unwrap_fence
from agents.parsing.labels import Label
from agents.parsing.slip import Slip
from agents.parsing.tool_input import read_object, text_of, tidy_answer, tidy_input

_OBJECT = re.compile(r"(?:^[ \t]*+\[?[ \t]*+|<tool_call>\s*|```\w*\s*)(?=\{)", re.MULTILINE | re.IGNORECASE)


def first_action(body: str, labels: tuple[Label, ...], tools: Sequence[str]) -> tuple[int, ReadAction] | None:
    """Where the first action stands, and what it is."""
    none_at: tuple[int, ReadAction] | None = None
    for index, label in enumerate(labels):
        if label.kind == "observation":
            break
        if label.kind not in ("action", "final"):
            continue
        action = _labelled_action(body, labels, index, tools)
        if action.kind != "none":
            skipped = (Slip("action_none_skipped"),) if none_at else ()
            return label.start, replace(action, slips=skipped + action.slips)
        none_at = none_at or (label.start, action)
    return none_at or _bare_action(body, labels, tools) or _object_action(body, tools)


def _labelled_action(body: str, labels: tuple[Label, ...], index: int, tools: Sequence[str]) -> ReadAction:
    label = labels[index]
    following = labels[index + 1] if index + 1 < len(labels) else None
    stop = following.start if following else len(body)
    if label.kind == "final":
        answer = body[label.end : stop].strip()
        inner = read_action(body, label.end, stop, ()) if re.match(r"\W*(?:Finish|完成)\W", answer, re.I) else None
        return inner or ReadAction("finish", FINISH, answer, stop)
    action = read_action(body, label.end, stop, tools)
    if following is None or action.input or action.kind == "none":
        return action
    if following.kind == "final" and action.name == FINISH:
        return _labelled_action(body, labels, index + 1, tools)
    if following.kind != "action_input" or not action.name:
        return action
    stop = labels[index + 2].start if index + 2 < len(labels) else len(body)
    return _with_action_input(action, body, following.end, stop, tools)


def _with_action_input(action: ReadAction, body: str, start: int, stop: int, tools: Sequence[str]) -> ReadAction:
    """The action whose input stands behind a label of its own."""
    written = unwrap_fence(body[start:stop].strip())
    name = canonical_name(action.name, tools)
    if written.startswith(("[", "【")) and written.endswith(("]", "】")):
        written = written[1:-1]
    tidied, slips = tidy_answer(text_of(written) or written) if name == FINISH else tidy_input(written)
    if tidied is None:
        return replace(action, kind="unreadable", end=stop)
    kept = tuple(slip for slip in action.slips if slip.rule != "no_bracket")
    return ReadAction(kind_of(name, tools), name, tidied, stop, True, (*kept, Slip("action_input"), *slips))


def _bare_action(body: str, labels: tuple[Label, ...], tools: Sequence[str]) -> tuple[int, ReadAction] | None:
    """An action at the start of a line that has no label, or none but "Thought:"."""
    names = "|".join(map(re.escape, (*tools, FINISH, "完成", "结束", "結束")))
    bare = re.compile(
        rf"^[ \t]*+(?:[-+•*>][ \t]+|\d+[.)、][ \t]*)?[*_`$]*(?P<name>(?:{names})[*_`]*[ \t]?[\[【［]|(?:{names})[(（])",
        re.MULTILINE | re.IGNORECASE,
    )
    starts = [match.start("name") for match in bare.finditer(body)]
    starts += [label.end + len(match[0]) for label in labels if (match := re.compile(r"\s*").match(body, label.end))]
    for start in sorted(starts):
        stop = next((label.start for label in labels if label.start > start), len(body))
        if re.match(rf"(?:{names})[*_`]*[ \t]?[\[【［(（]", body[start:], re.IGNORECASE):
            action = read_action(body, start, stop, tools)
            if action.kind in ("tool", "finish") and Slip("no_bracket") not in action.slips:
                return start, replace(action, slips=(Slip("no_action_label"), *action.slips))
    return None


def _object_action(body: str, tools: Sequence[str]) -> tuple[int, ReadAction] | None:
    """An action given as a JSON object without any label."""
    for place in _OBJECT.finditer(body):
        found = read_object(body, place.end())
        if found is None:
            continue
        action = action_from_object(found[0], found[1], tools)
        if action.kind != "unreadable":
            return place.start(), action
    return None
