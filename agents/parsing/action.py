"""Reads one action: `Search[abc]`, in the shapes that models write it in.

Knows nothing of labels and of the rest of the reply: it is told where the action begins and where its text must end.
"""

import re
from collections.abc import Sequence

from agents.parsing.action_object import (
    FINISH,
    FINISH_NAMES,
    NONE,
    ActionKind,
    ReadAction,
    action_from_object,
    canonical_name,
)
from agents.parsing.brackets import PAIRS, SQUARE, find_close
from agents.parsing.slip import Slip
from agents.parsing.tool_input import read_object, tidy_answer, tidy_input

_WRAP = re.compile(
    r"(?:\s|(?:```|~~~)\w*[ \t]*(?=\n)|[*_`$\"'<(\[【“]|\\(?:boxed|text\w*|math\w*|textbf)\{|\\[(\[]|->|→"
    r"|\{{1,2}(?=\s*[^\W\d]\w*\s*\}))*"
)
_VERB = re.compile(
    r"(?:(?:I|we)(?:'ll|\s+will|\s+should|\s+need\s+to|\s+am\s+going\s+to)?\s+|let me\s+|let's\s+)?"
    r"(?:use|call|run|invoke|using|perform|do)\s+(?:the\s+)?(?:tool\s+)?|(?:我(?:将|要|会)?)?(?:使用|调用|執行|执行|运行)(?:工具)?\s*",
    re.IGNORECASE,
)
_AFTER_NAME = r"[*_`\"'>}\]】”]*"
_UNKNOWN = re.compile(r"(?P<name>[^\W\d][\w.\-]*(?: [^\W\d][\w\-]*)?)[*_`\"'}]*[ \t]*(?=[\[【［(（])")
_ALONE = re.compile(r"(?P<name>[^\W\d][\w.\-]*)[*_`\"'>}\]】]*[ \t\r]*$", re.MULTILINE)
_SEPARATOR = re.compile(r"[ \t]*(?:[:：=|,，、]|->|→|=>)?[ \t]*")
_ENDS_LINE = re.compile(r"[\s*_`$.。,，;；)）}\]】>\"'”\\]*$")
_CUT_IN_LINE = re.compile(r"\s(?:->|→|=>)\s|\s[*_]*(?:Observation|观察|觀察)[*_]*\s*\d*\s*[:：]", re.IGNORECASE)
_MARKS = re.compile(r"[ \t]*(?:[*_$`}\"'>]|\\[)\]])+")


def read_action(text: str, start: int, stop: int, tools: Sequence[str]) -> ReadAction:
    """The action that begins at `start`. It ends before `stop`, save for an answer whose bracket closes the text.

    >>> action = read_action("Search[abc] -> ...", 0, 18, ["Search"])
    >>> action.kind, action.name, action.input, action.end
    ('tool', 'Search', 'abc', 11)
    """
    wrap = _WRAP.match(text, start, stop)
    begin = wrap.end() if wrap else start
    brace = text.find("{", start, stop)
    if brace != -1 and not text[start:brace].strip("`~*[ \t\r\n").removeprefix("json"):
        found = read_object(text, brace)
        if found is not None:
            return action_from_object(found[0], found[1], tools)
    verb = _VERB.match(text, begin, stop)
    known = _known_name(tools)
    name = known.match(text, begin, stop)
    slips: tuple[Slip, ...] = ()
    if name is None and verb is not None:
        inner = _WRAP.match(text, verb.end(), stop)
        name = known.match(text, inner.end() if inner else verb.end(), stop)
        slips = (Slip("words_before_action"),)
    if name is None:
        return _read_unknown(text, begin, stop)
    written = name["name"]
    canonical = canonical_name(written, tools)
    if canonical != written:
        slips += (Slip("tool_name_case"),)
    if re.search(r"\{\{\s*$", text[start : name.start()]):
        slips += (Slip("doubled_braces"),)
    wrapped = "[" in text[start : name.start()] or "【" in text[start : name.start()]
    inside, end, closed, bracket_slips = _inside(text, name.end(), stop, canonical == FINISH, wrapped)
    tidied, tidy_slips = tidy_answer(inside) if canonical == FINISH else tidy_input(inside)
    if tidied is None:
        return ReadAction("unreadable", canonical, "", end)
    rules = {slip.rule: slip for slip in (*slips, *bracket_slips, *tidy_slips)}
    kind: ActionKind = "finish" if canonical == FINISH else "tool"
    return ReadAction(kind, canonical, tidied, _past_marks(text, start, end, stop), closed, tuple(rules.values()))


def _known_name(tools: Sequence[str]) -> re.Pattern[str]:
    names = sorted((*tools, *FINISH_NAMES), key=len, reverse=True)
    return re.compile(rf"(?P<name>{'|'.join(map(re.escape, names))})(?!\w){_AFTER_NAME}", re.IGNORECASE)


def _inside(
    text: str, start: int, stop: int, is_finish: bool, wrapped: bool
) -> tuple[str, int, bool, tuple[Slip, ...]]:
    """What the action's brackets hold, where they end, whether they close, and how they were mended."""
    opening = re.compile(r"[ \t]*[:：]?[ \t]*([\[【［〔「『《({<（])").match(text, start, stop)
    if opening:
        at = opening.start(1)
        close = _bracket_end(text, at, stop, is_finish, wrapped)
        strict = text[at] in SQUARE and not re.search(r"[:：]", opening[0])
        ends = close is not None and _ends_line(text, close + 1, stop)
        if strict or ends:
            slips = () if text[at] == "[" and (close is None or text[close] == "]") else (Slip("other_brackets"),)
            if close is not None:
                return text[at + 1 : close], close + 1, True, slips
            end = stop if is_finish else _line_end(text, at, stop)
            return text[at + 1 : end], end, False, (Slip("unclosed_bracket"),)
    separator = _SEPARATOR.match(text, start, stop)
    begin = separator.end() if separator else start
    while begin < stop and text[begin].isspace():
        begin += 1
    end = stop if is_finish else _line_end(text, begin, stop)
    cut = None if is_finish else _CUT_IN_LINE.search(text, begin, end)
    end = cut.start() if cut else end
    return text[begin:end].strip("*_` \t\r\n") if not is_finish else text[begin:end], end, True, (Slip("no_bracket"),)


def _bracket_end(text: str, at: int, stop: int, is_finish: bool, wrapped: bool) -> int | None:
    """Where the bracket really closes: by depth, unless what follows then shows that a bracket was in the input."""
    closing = PAIRS[text[at]]
    close = find_close(text[:stop], at)
    if close is None and is_finish and find_close(text, at) == len(text.rstrip(" \t\r\n*`.。$")) - 1:
        return find_close(text, at)
    end = stop if is_finish else _line_end(text, at if close is None else close, stop)
    rest = text[at:end].rstrip(" \t\r\n*`$.。")
    last = at + len(rest) - 1
    if close is None:
        closers = "]】］〕" if text[at] in SQUARE else closing
        return last if last > at and text[last] in closers + ("" if is_finish else ")）") else None
    after = text[close + 1 : last + 1]
    unbalanced = after.endswith(closing) and after.count(closing) > after.count(text[at]) and not wrapped
    return last if unbalanced and after.strip(closing + " \t\r\n") else close


def _ends_line(text: str, start: int, stop: int) -> bool:
    rest = text[start : _line_end(text, start, stop)]
    return _ENDS_LINE.match(rest) is not None or re.match(r"\s*(?:->|→|=>|#|//|\(|（|,|;|，|；)", rest) is not None


def _line_end(text: str, start: int, stop: int) -> int:
    end = text.find("\n", start, stop)
    return stop if end == -1 else end


def _past_marks(text: str, start: int, end: int, stop: int) -> int:
    marks = _MARKS.match(text, end, stop)
    end = marks.end() if marks else end
    fence = re.compile(r"\s*```").match(text, end, stop) if "```" in text[start:end] else None
    return fence.end() if fence else end


def _read_unknown(text: str, begin: int, stop: int) -> ReadAction:
    """An action whose name is no tool's: a well-formed call of one, an explicit none, or nothing readable."""
    end = _line_end(text, begin, stop)
    if NONE.match(text, begin, end):
        return ReadAction("none", end=end)
    name = _UNKNOWN.match(text, begin, stop)
    if name is not None:
        close = find_close(text[:stop], name.end())
        if close is not None and _ends_line(text, close + 1, stop):
            value = tidy_input(text[name.end() + 1 : close])[0] or ""
            return ReadAction("unknown_tool", name["name"], value, close + 1)
        return ReadAction("unreadable", end=stop)
    alone = _ALONE.match(text, begin, stop)
    if alone is not None:
        return ReadAction("unknown_tool", alone["name"], "", alone.end())
    return ReadAction("unreadable", end=stop)
