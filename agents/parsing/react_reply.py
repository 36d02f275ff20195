"""Reads a ReAct reply: a thought, then one action.

The first action counts, and what follows it is cut: a model that goes on writes observations of its own invention.
Spellings of labels are grammar (`labels`), shapes of an action are read by `action`; whatever had to be mended or
cut is said in a slip. Nothing is run here, and no text is made up: `kept` is what the model wrote.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from agents.events import ToolCall
from agents.parsing.action_object import canonical_name, kind_of
from agents.parsing.fences import unwrap_fence
from agents.parsing.first_action import first_action
from agents.parsing.labels import Label, find_labels
from agents.parsing.reasoning import split_reasoning
from agents.parsing.slip import Slip
from agents.parsing.tool_input import text_of

_HALF_LABEL = re.compile(
    r"[ \t]*(?:[*_#>\-` ]*(?:Ob(?:s(?:e(?:r(?:v(?:a(?:t(?:i(?:on?)?)?)?)?)?)?)?)?|观察?|觀察?)[*_:：]*|[*#]+)[ \t]*"
)
_TAG = re.compile(r"</?\w+>")
# What a prompt's format line says where the answer belongs, copied as it stands.
_ECHO = re.compile(r"<?(the |your |final )*answer>?|(最终|你的)?答案|\.\.\.|…", re.IGNORECASE)


@dataclass(frozen=True)
class ReactReply:
    """A reply as it was read.

    `tool` is the tool's own name, or what the model wrote where there is no such tool; `input` is what the tool
    gets, or the answer of a "finish". `fault` is set for "no_action": a key of `wording`'s faults. `kept` is the
    reply as it goes into the trajectory: no reasoning, and nothing after the first action.
    """

    kind: Literal["tool", "unknown_tool", "finish", "no_action"]
    thought: str
    tool: str = ""
    input: str = ""
    fault: str = ""
    kept: str = ""
    truncated: bool = False
    slips: tuple[Slip, ...] = ()


def read_reply(
    text: str,
    tools: Sequence[str],
    native_call: ToolCall | None = None,
    finish_reason: str = "stop",
    begun: str = "",
) -> ReactReply:
    r"""The thought and the first action of a reply. `finish_reason` is the server's word for why the reply ended.

    `begun` is the beginning of the reply, where it was there before the model wrote.

    >>> reply = read_reply("Thought: Look it up.\nAction: Search[abc]\nObservation: invented", ["Search"])
    >>> reply.kind, reply.thought, reply.tool, reply.input, reply.kept
    ('tool', 'Look it up.', 'Search', 'abc', 'Thought: Look it up.\nAction: Search[abc]')
    >>> reply.slips
    (Slip(rule='invented_observation', cut='Observation: invented'),)
    >>> read_reply("The answer is 42.", ["Search"]).fault
    'no_labels'
    """
    is_cut_off = finish_reason in ("length", "max_tokens", "interrupted")
    body, reasoning = split_reasoning(text)
    slips: tuple[Slip, ...] = (Slip("reasoning_removed", reasoning),) if reasoning else ()
    if not (body + begun).strip() and native_call is None:
        return ReactReply(
            "no_action", "", fault="reasoning_only" if reasoning else "empty_reply", truncated=is_cut_off, slips=slips
        )
    unwrapped = unwrap_fence(body)
    if unwrapped != body:
        slips += (Slip("fence_removed"),)
    body = (begun + unwrapped).rstrip()
    whole, _, last_line = body.rpartition("\n")
    if whole.strip() and _HALF_LABEL.fullmatch(last_line):
        whole = whole.rstrip()
        slips += (Slip("half_label", last_line.strip()),)
    else:
        whole = body
    reply = _read(whole, tools, is_cut_off and whole == body)
    if reply.kind == "no_action" and native_call is not None:
        reply = _with_native_call(reply, native_call, tools)
    return replace(reply, slips=slips + reply.slips)


def _read(whole: str, tools: Sequence[str], is_cut_off: bool) -> ReactReply:
    """Reads a reply that has neither reasoning nor a fence around it."""
    body, slips = _without_first_observation(whole)
    labels = find_labels(body)
    found = first_action(body, labels, tools)
    observation = next((label.start for label in labels if label.kind == "observation"), len(body))
    if found is None or found[0] >= observation:
        before = body[:observation].rstrip()
        cut = body[len(before) :].strip()
        slips += (Slip("invented_observation", cut),) if cut else ()
        fault = "no_action" if labels or slips else "no_labels"
        thought = _thought(before, len(before), labels) if labels else ""
        return ReactReply("no_action", thought, fault=fault, kept=before, truncated=is_cut_off, slips=slips)
    start, action = found
    rest = body[action.end :].strip()
    cut = rest if re.search(r"\w", _TAG.sub("", rest)) else ""
    rule = (
        "invented_observation"
        if any(label.start >= action.end for label in labels if label.kind == "observation")
        else "after_action"
    )
    slips += action.slips + ((Slip(rule, cut),) if cut else ())
    reply = ReactReply(
        "no_action",
        action.thought or _thought(body, start, labels),
        tool=action.name,
        kept=(body[: action.end] if cut else body).rstrip(),
        truncated=not cut and (is_cut_off or not action.closed),
        slips=slips,
    )
    if action.kind == "none":
        return replace(reply, fault="action_none")
    if action.kind == "unreadable":
        return replace(reply, fault="unreadable_action")
    if not action.input.strip():
        return replace(reply, fault="empty_input")
    if action.kind == "finish" and _ECHO.fullmatch(action.input.strip()):
        return replace(reply, fault="answer_echo")
    return replace(reply, kind=action.kind, input=action.input)


def _without_first_observation(body: str) -> tuple[str, tuple[Slip, ...]]:
    """Drops an observation that the reply begins with: an echo of the last turn, whose thought comes after it."""
    labels = find_labels(body)
    if len(labels) < 2 or labels[0].kind != "observation" or body[: labels[0].start].strip():
        return body, ()
    start = labels[1].start
    return body[start:], (Slip("invented_observation", body[:start].strip()),)


def _thought(body: str, stop: int, labels: tuple[Label, ...]) -> str:
    """What stands behind the labels of thought before `stop`, or all that stands there where there is none."""
    before = [label for label in labels if label.start < stop]
    ends = [*(label.start for label in before[1:]), stop]
    pairs = zip(before, ends, strict=False)
    thoughts = [_without_fence_line(body[label.end : end]) for label, end in pairs if label.kind == "thought"]
    if thoughts:
        return "\n".join(thought for thought in thoughts if thought)
    return _without_fence_line(body[: before[0].start if before else stop])


def _without_fence_line(text: str) -> str:
    """The text without a last line that only opens the fence around the action."""
    return re.sub(r"(?:^|\n)```\w*$", "", text.strip()).strip()


def _with_native_call(reply: ReactReply, call: ToolCall, tools: Sequence[str]) -> ReactReply:
    """The reply with the call that came through the server's tool interface as its action."""
    name = canonical_name(call.name, tools)
    value = text_of(call.input) or ""
    action = f"Action: {name}[{value}]"
    slips = (*reply.slips, Slip("native_call"))
    kept = f"{reply.kept}\n{action}" if reply.kept else action
    thought = reply.thought or reply.kept
    if not value:
        return ReactReply("no_action", thought, name, fault="empty_input", kept=kept, slips=slips)
    return ReactReply(kind_of(name, tools), thought, name, value, kept=kept, slips=slips)
