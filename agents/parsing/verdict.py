"""Reads whether a reviewer approves: only an unconditional verdict on the last line does.

Everything else counts as not approved, since a needless round costs little and a wrong approval ends the run: a
phrase that is quoted, negated, tied to a condition or to one part of the work, or that stands earlier in the text.
"""

import re
import unicodedata
from dataclasses import dataclass

from agents.errors import FormatError
from agents.parsing.brackets import strip_quotes
from agents.parsing.fences import fenced_blocks
from agents.parsing.reasoning import says_nothing, split_reasoning
from agents.parsing.slip import Slip

_SIMPLIFIED = str.maketrans(
    "無須進過優結論調動準認審評總終論決還現沒問題滿錯", "无须进过优结论调动准认审评总终论决还现没问题满错"
)
_LABEL = re.compile(
    r"[\"']?(?:(?:my|the|final|overall|review|reviewer'?s?|code)\s+)*"
    r"(?:verdict|decision|conclusion|result|status|recommendation|assessment|judge?ment)[\"']?\s*(?:is\b|[:\-–—=>]+|$)\s*"
    r"|[\"']?(?:最终|最后|评审|审核|审查|总体)?(?:的)?(?:结论|结果|判定|裁定|裁决|意见|决定|总结|评价)[\"']?\s*(?:是|为|[:\-–—=>]+|$)\s*"
)
_WORK = (
    r"(?:(?:the|this|current|your|revised|latest|present|whole|entire)\s+)*"
    r"(?:code|work|solution|implementation|program|function|algorithm|text|answer|draft|version|essay|response|it|this)"
)
_CHANGE = (
    r"(?:improvement|change|revision|modification|edit|correction|fix|"
    r"optimi[sz]ation|refinement|rework|action)(?:e?s)?"
)
_MORE = r"(?:(?:any|further|more|additional|other|major|significant)\s+)*"
_NEEDED = r"(?:needed|required|necessary|called for)"
_APPROVAL = re.compile(
    r"(?:(?:so|thus|therefore|hence|overall|in short|in conclusion)\s+)?(?:"
    rf"(?:there\s+(?:is|are)\s+)?no\s+{_MORE}{_CHANGE}(?:\s+(?:is|are)|'s)?(?:\s+{_NEEDED})?(?:\s+at\s+(?:this|all|present)\s*\w*)?"
    rf"|(?:there\s+is\s+)?no\s+{_MORE}need\s+(?:for\s+{_MORE}{_CHANGE}|to\s+(?:improve|change|revise)(?:\s+(?:it|anything))?)"
    rf"|nothing\s+(?:left\s+|more\s+|else\s+)?to\s+(?:improve|change|fix|revise|add)"
    rf"|nothing\s+needs\s+(?:to\s+be\s+)?(?:improv|chang|fix)\w*"
    rf"|(?:{_WORK}\s+)?(?:needs|requires)\s+no\s+{_MORE}{_CHANGE}"
    rf"|(?:{_WORK}\s+)?(?:does\s+not|doesn't)\s+(?:need|require)\s+{_MORE}{_CHANGE}"
    rf"|(?:i\s+)?(?:hereby\s+)?approved?(?:\s+{_WORK}|\s+as\s+is)?|(?:{_WORK}\s+)?(?:is|has\s+been)\s+(?:hereby\s+)?approved"
    r"|accept(?:ed)?(?:\s+as\s+is)?|pass(?:ed|es)?|lgtm|looks\s+good(?:\s+to\s+me)?|ship\s+it|good\s+to\s+go"
    r"|(?:ready|good)\s+to\s+(?:merge|ship)"
    r")"
)
_ZH_WORK = (
    r"(?:因此|所以|故|综上(?:所述)?|总之|总体|整体|我认为|当前|目前|现在|现有|该|此|这段|这份|这版|本|的|已|"
    r"代码|程序|实现|方案|算法|版本|版|作品|文章|文本|内容|答案|回答|作业|工作|稿子|草稿|均|都|也|暂时)*"
)
_ZH_CHANGE = r"(?:改进|修改|改动|优化|调整|完善|修正|更改|改善|变更|修订|修复|返工)"
_ZH_APPROVAL = re.compile(
    rf"{_ZH_WORK}(?:"
    r"(?:无需|无须|毋需|毋须|勿需|不需要?|不用|不必|不须|没有必要|无必要|没必要|没有需要)(?:再|做|作|进行|有|任何|进一步|更多|继续|额外|其他|其它|的|什么)*"
    rf"{_ZH_CHANGE}(?:或{_ZH_CHANGE})?(?:了|之处|的地方|的)?"
    rf"|(?:没有|无)(?:任何|其他|更多|进一步|什么)*(?:需要|可|可以|要|须)?{_ZH_CHANGE}(?:的地方|之处|的空间|空间|点)"
    r"|(?:予以|准予|同意|可以|可|审核|评审|审查|验收)?(?:通过|批准|认可)(?:审核|评审|审查)?了?|同意|合格|接受"
    r")"
)
_PRAISE = re.compile(
    rf"(?:{_WORK}\s+(?:is|looks|works|seems)\s+(?:already\s+|now\s+|very\s+|quite\s+|all\s+)*"
    r"(?:optimal|good|great|fine|excellent|correct|perfect|complete|clear|clean|well[ -]written|ready|"
    r"efficient|solid|sound)"
    r"(?:\s+(?:and|,)\s+(?:optimal|correct|complete|clear|clean|efficient|readable|well[ -]written))*"
    r"|(?:great|good|excellent|nice|well)\s*(?:work|job|done)|well\s+done|excellent|perfect|thanks?(?:\s+you)?|all\s+good"
    r"|so|thus|therefore|hence|overall|in\s+(?:short|conclusion|summary)"
    r"|no\s+(?:further\s+|more\s+|other\s+|remaining\s+)*(?:issues?|problems?|comments?|concerns?|objections?)(?:\s+(?:found|remain(?:ing)?|left))?)"
)
_ZH_PRAISE = re.compile(
    rf"{_ZH_WORK}(?:已?经?(?:达到|是|为|很|非常|足够)?了?(?:最优|最佳|完美|优秀|正确|完善|很好|良好|清晰|简洁|好)了?|(?:没有|无|未发现)(?:任何|明显)?(?:问题|错误)"
    r"|做得(?:很|非常)?好|综上(?:所述)?|总之|因此|所以|总体来说|总的来说)"
)
# A reason after the approval may say how the work is. A word that asks for more makes it no approval.
_REASON = re.compile(
    r"(?:because\s+|since\s+|as\s+)?(?:the|this|it|all|your|both|every)\b.*"
    r"|(?:因为|由于|当前|该|此|本|这|所有|整体|全部)?(?:代码|算法|实现|时间复杂度|空间复杂度|复杂度|逻辑|方案|程序|答案|文章|内容|已).*"
)
_DOUBT = re.compile(
    r"[?]|\b(?:but|however|except|although|though|if|once|unless|until|after|when|while|should|could|would|might|must|may"
    r"|needs?|lacks?|miss\w*|not|never|only|still|yet|fix\w*|chang\w*|revis\w*|improv\w*|better|add\w*|renam\w*|remov\w*"
    r"|consider\w*|suggest\w*|recommend\w*|reject\w*|block\w*|fail\w*|minor|partial\w*|provided|assuming|pending"
    r"|condition\w*|first|later|next|wrong|bugs?|errors?|issues?|problems?)\b|n't\b"
    r"|[但除若需要应还仍改加补缺不未没错待请先后再]|然而|如果|只有|只要|建议|可以|问题|条件|部分"
)
_REVISE = re.compile(
    r"(?:please\s+)?(?:revis|reject|not\b|un?approved|disapprov|block|fail|chang|request|need|requir|improv|major|minor|rework|refine|\bno\b)"
    r"|(?:不|未|没|需|还|仍|修改|改进|继续|有待|驳回|拒绝|退回|必须|应|建议|请|返)"
)
_KEYWORDS = ("pass", "accept")  # the last line of quoted code
_ONLY_MARKS = re.compile(r"[\W_]*")
_MARKS = re.compile(r"[*_`~#]+|\\boxed|[\u2600-\u27bf\U0001f300-\U0001faff\ufe0f]")


@dataclass(frozen=True)
class Verdict:
    """Whether the work is approved, and what was odd about the way it was said."""

    approved: bool
    slips: tuple[Slip, ...] = ()


def read_verdict(feedback: str) -> Verdict:
    r"""The verdict on the last line. Raises FormatError("empty_feedback") where there is no feedback.

    >>> read_verdict("Already optimal.\nVerdict: APPROVED").approved
    True
    >>> read_verdict("如果加上缓存，就无需改进了。")
    Verdict(approved=False, slips=(Slip(rule='no_verdict', cut=''),))
    """
    text, reasoning = split_reasoning(feedback)
    slips: tuple[Slip, ...] = (Slip("reasoning_removed", reasoning),) if reasoning else ()
    if says_nothing(text):
        raise FormatError("empty_feedback")
    lines = [line for line in text.splitlines() if not _ONLY_MARKS.fullmatch(line)] or [text]
    line = _plain(lines[-1])
    label = _LABEL.match(line)
    value = line[label.end() :] if label else line
    if _approves(value) and not (label is None and line in _KEYWORDS) and not _is_code(text, lines[-1]):
        return Verdict(True, slips)
    is_clear = bool(value) and _REVISE.match(value) is not None and (label is not None or len(value) <= 20)
    return Verdict(False, slips if is_clear else (*slips, Slip("no_verdict")))


def _plain(line: str) -> str:
    """The line in small letters, simplified characters and ASCII punctuation, without marks and list markers."""
    line = unicodedata.normalize("NFKC", _MARKS.sub(" ", line)).casefold().translate(_SIMPLIFIED).replace("’", "'")
    line = re.sub(r"^\s*(?:[-+•>]\s+|\d+[.)]\s+)*", "", line).strip()
    line = re.sub(r"^[\[【{<](.*)[\]】}>][.。!]?$", r"\1", line).strip()
    line = re.sub(r"^[\[【]([^\[\]【】]*)[\]】]\s*:?", r"\1: ", line)
    return re.sub(r"\s+", " ", line).strip()


def _is_code(text: str, line: str) -> bool:
    """Whether the line is the last one of a fenced block, such as a comment in it, and no verdict in a fence."""
    start = text.rindex(line)
    block = next((block for block in fenced_blocks(text) if block.start <= start < block.end), None)
    if block is None:
        return False
    is_comment = line.lstrip().startswith(("#", "//", "--", "/*", "*"))
    return is_comment or (len(block.text.split("\n")) > 1 and _LABEL.match(_plain(line)) is None)


def _approves(value: str) -> bool:
    """Whether the value is approval with a reason, or nothing but clauses of approval and praise."""
    value = value.strip(" .。!")
    value = strip_quotes(re.sub(r"^[\[【(](.*)[\])】]$", r"\1", value).rstrip(",")).strip(" .。!")
    head, *reason = re.split(r"\s*(?:[.。!;；,，:]|\s[-–—]+|[–—]+|\()\s*", value, maxsplit=1)
    if reason and _REASON.fullmatch(reason[0]) and not _DOUBT.search(reason[0]) and _is(_APPROVAL, _ZH_APPROVAL, head):
        return True
    clauses = [clause.strip() for clause in re.split(r"[.。!;；,，、:()]|\s[-–—]+\s|[–—]+", value)]
    clauses = [clause for clause in clauses if clause]
    approvals = [_is(_APPROVAL, _ZH_APPROVAL, clause) for clause in clauses]
    return any(approvals) and all(
        approval or _is(_PRAISE, _ZH_PRAISE, clause) for approval, clause in zip(approvals, clauses, strict=True)
    )


def _is(english: re.Pattern[str], chinese: re.Pattern[str], clause: str) -> bool:
    return english.fullmatch(clause) is not None or chinese.fullmatch(clause.replace(" ", "")) is not None
