"""Which action follows from a thought that somebody else wrote: one that names an answer, a sum or something to find.

Such a thought is read by its words, in English and in Chinese. It is not judged: a wrong thought is followed as well.
"""

import re

from agents.models.demo.numbers import SUM, expression_in

_CALL = re.compile(r"\b(?P<tool>Finish|Search|Calculator)\[(?P<input>[^\]\n]+)\]")
_END = r"(?=[.!](?:\s|$)|[。！\n]|$)"
_ANSWER = re.compile(
    rf"\banswer(?: (?:is|must be|should be|would be|has to be)\b|\s*[=:])[:\s]*(?P<predicate>.+?){_END}"
    rf"|\b(?:answer|finish|reply) with (?!(?:the|my|an) (?:\w+ )?answer|what )(?P<with>.+?){_END}"
    r"|(?:^|[.!]\s+|\n)(?P<subject>[^\n.!]+(?:\.\d[^\n.!]*)?) (?:is|are) (?:the answer|what (?:the question|was) ask)"
    rf"|答案(?:就|应该|应当|一定|必须|肯定)?(?:是|为|：|:)\s*(?P<predicate_zh>.+?){_END}"
    r"|(?:^|[。！，\n])(?P<subject_zh>[^。！，\n]+?)就?是(?:问题所问的|答案)",
    re.IGNORECASE,
)
_NO_ANSWER = re.compile(
    r"(?:not|still|yet|unknown|missing|unclear|somewhere|in (?:the|this|that))\b|未知|不|还|缺|什么|多少|哪",
    re.IGNORECASE,
)
_BEFORE_ANSWER = re.compile(
    r"^(?:(?:so|then|thus|hence|therefore|probably|likely|now)\b,?\s*|所以|因此|那么)+", re.IGNORECASE
)
_SEARCH = re.compile(
    r"\b(?:look(?:ing)? up|search(?:ing)? for|google|find out)\s+(?P<look_up>[^.;,\n]+)"
    r"|\blook (?P<look>the [^.;,\n]+?) up\b"
    r"|\b(?:to|should|must|will|can|me|now|i'll) search\s+(?:the web\s*|online\s*)?(?:for\s+)?(?P<search>[^.;,\n]+)"
    r"|\bneed (?:to (?:know|find) )?(?P<need>the (?!number|difference|sum|product|total|result|rest|answer)[^.;,\n]+)"
    r"|(?<![检调])查(?:一下|一查|找|询|查|清楚)?(?![到过证不])(?P<look_up_zh>[^。；，\n]+)"
    r"|搜(?:索|寻)?(?:一下)?(?P<search_zh>[^。；，\n]+)"
    r"|需要知道(?P<need_zh>(?![^。；，\n]*(?:差|总数|结果))[^。；，\n]+)",
    re.IGNORECASE,
)
_NOT = re.compile(r"\b(?:not|never|no|without)\b|n't\b|不用|不需要|无需|不必|没必要|不再", re.IGNORECASE)
_NO_WORDS = re.compile(
    r"(?:it|that|this|them|more|again|something|anything|everything|web|internet|它|这个|那个|更多)?", re.IGNORECASE
)
_AFTER_WORDS = re.compile(
    r"\s+(?:first|now|next|again|instead|too|online|and then\b.*|before\b.*|with (?:the )?search(?: tool)?)$|[吧了]$",
    re.IGNORECASE,
)


def action_after(thought: str, tools: tuple[str, ...]) -> tuple[str, str] | None:
    """The tool and its input that follow from the thought, or None where it does not say. "Finish" ends the work.

    >>> action_after("So the answer is 42.", ()), action_after("828 minus 330 is missing.", ("Calculator",))
    (('Finish', '42'), ('Calculator', '828 - 330'))
    >>> action_after("I should look up the height of the Tokyo Tower.", ("Search",))
    ('Search', 'height of the Tokyo Tower')
    >>> action_after("The answer is not known yet.", ("Search",))
    """
    if (call := _CALL.search(thought)) and call["tool"] in (*tools, "Finish"):
        return call["tool"], call["input"]
    if answer := _answer(thought):
        return "Finish", answer
    expression = expression_in(SUM.sub(" ", thought)) or expression_in(thought)
    if expression and "Calculator" in tools:
        return "Calculator", expression
    words = _words_to_search(thought)
    return ("Search", words) if words and "Search" in tools else None


def _answer(thought: str) -> str:
    for match in _ANSWER.finditer(thought):
        answer = _BEFORE_ANSWER.sub("", _found(match)).strip(" \"'“”")
        if answer and not _NO_ANSWER.match(answer):
            return answer
    return ""


def _words_to_search(thought: str) -> str:
    for match in _SEARCH.finditer(thought):
        sentence = re.split(r"[.;。；\n]", thought[: match.start()])[-1]
        words = re.sub(r"^the\s+", "", _AFTER_WORDS.sub("", _found(match)), flags=re.IGNORECASE).strip(" \"'“”")
        if not _NOT.search(sentence) and not _NO_WORDS.fullmatch(words):
            return words
    return ""


def _found(match: re.Match[str]) -> str:
    """What stands in the one group that matched."""
    return next(text for text in match.groups() if text is not None).strip()
