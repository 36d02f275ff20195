"""Reads what a prompt asks for, from its text alone: the role, the question, the language and the style.

A prompt that a person has edited should still be understood, so nothing here compares with the shipped templates.
Each question is put to the text by a regular expression, in English and in Chinese.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from agents.events import Language, Message
from agents.models.demo.problems import Problem, expression_problem, find_problem
from agents.models.demo.works import Work, find_work
from agents.parsing.labels import find_labels

Role = Literal["act", "plan", "carry_out", "conclude", "review", "revise", "answer"]
Known = Problem | Work | None

# A question is a short text near the end of a prompt; to look for one in a book would take long.
_LONGEST_QUESTION = 500
_MOST_PARAGRAPHS = 30

_QUESTION = re.compile(r"^[ \t*#]*(?:question|task|q|问题|任务)[ \t*]*[:：][ \t*]*(?=\S)", re.IGNORECASE | re.MULTILINE)
_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_REPLY_IN = re.compile(
    r"\b(?:answer|reply|respond|write|think|speak)\b[^.\n]{0,30}?\bin (?P<en>english|chinese)\b"
    r"|用(?P<zh>英文|英语|中文|汉语)",
    re.IGNORECASE,
)
_TOOL = re.compile(r"^[^\w\n]*(?P<name>Search|Calculator)\s*(?:[\[(:：(（【-]|$)", re.MULTILINE)
_TOOLS_IN_A_LINE = re.compile(r"^(?![^\w\n]*(?:action|行动)).*(?:\btools?\b|工具).*$", re.IGNORECASE | re.MULTILINE)
ASKS_FOR_ACTION = re.compile(r"\bAction\s*[:：]|\b(?:one|an|and|or) Action\b|\bFinish\[|行动\s*[:：]|“行动”")
# The two verdicts side by side are a choice that is offered. Far apart they stand in feedback that was given.
_VERDICTS = re.compile(
    r"\bAPPROVED?\b.{0,80}\bREVISE\b|\bREVISE\b.{0,80}\bAPPROVED?\b|通过.{0,40}修改|修改.{0,40}通过", re.DOTALL
)
_REVIEW = re.compile(
    r"\breview|\bcriti(?:c|que)|\bfind .{0,30}(?:mistake|fault|problem)|\bfeedback\b"
    r"|评审|评论|点评|审阅|审查|意见|反馈",
    re.IGNORECASE,
)
_REVISE = re.compile(r"\bimprov|\brevis|\brewrite\b|\bcorrect\b|改进|修改|重写|改写", re.IGNORECASE)
_PLAN = re.compile(r"\bplan\b|计划|规划", re.IGNORECASE)
_CARRIES_OUT_ALL = re.compile(
    r"carry out the plan|\bthen solve\b|and solve\b|执行(?:这个|该)?计划|再解答|然后解答", re.IGNORECASE
)
_FINISHED = re.compile(
    r"been carried out|are (?:done|finished)|from the results|都已完成|已经完成|根据.{0,4}结果", re.IGNORECASE
)
_STEP_AHEAD = re.compile(
    r"^(?!Result:|结果：).*(?:\b(?:this|current|next) step\b|这一步|当前步骤|本步骤|当前的步骤)"
    r".*?[:：][ \t]*\n?(?P<step>\S.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_WORK = r"work|codes?|drafts?|solution|version|成果|代码|草稿|作品|版本|答卷"
_FEEDBACK = r"feedback|comments?|review|意见|反馈|评语"
_NO_FEEDBACK = re.compile(
    r"[(（].*(?:nobody|no one|no feedback|not (?:been )?reviewed|没有|无人|未).*[)）]", re.IGNORECASE
)


@dataclass(frozen=True)
class Style:
    """How the prompt wants the reply: each is a visible change of what the demo model writes."""

    is_brief: bool
    only_answer: bool
    step_by_step: bool
    answer_line: bool
    without_remarks: bool
    is_pirate: bool


@dataclass(frozen=True)
class Asked:
    """What a request asks for.

    `prompt` is the first turn, `later` the turns after it. `instructions` is the prompt up to the question, and
    `record` what follows the question in it: there a prompt may hold its trajectory as text.
    """

    role: Role
    language: Language
    question: str
    known: Known
    style: Style
    prompt: str
    instructions: str
    record: str
    later: tuple[Message, ...]


def read(messages: Sequence[Message]) -> Asked:
    """What the messages ask for."""
    first = next((number for number, message in enumerate(messages) if message.role == "user"), 0)
    prompt = "\n\n".join(message.content for message in messages[: first + 1])
    question, known = _question(prompt)
    start = prompt.find(question)
    record = prompt[start + len(question) :]
    return Asked(
        _role(prompt, record),
        _language(prompt, question),
        question,
        known,
        _style(prompt),
        prompt,
        prompt[:start],
        record,
        tuple(messages[first + 1 :]),
    )


def tools_in(text: str) -> tuple[str, ...]:
    """The tools that the text lists: at the start of a line, or in a line that speaks of tools.

    >>> tools_in("Search[query]: looks something up\\nAction: one tool call, such as Calculator[2 + 2]")
    ('Search',)
    >>> tools_in("Your tools: Search and Calculator")
    ('Search', 'Calculator')
    """
    lines = " ".join(_TOOLS_IN_A_LINE.findall(text))
    named = {match["name"] for match in _TOOL.finditer(text)}
    return tuple(name for name in ("Search", "Calculator") if name in named or re.search(rf"\b{name}\b", lines))


def section(text: str, words: str) -> str:
    """What stands under the last heading with one of these words, or behind it, up to a blank line.

    >>> section("The work:\\n42\\n\\nSay more.", "work"), section("Work: 42", "work"), section("No work here.", "work")
    ('42', '42', '')
    """
    heading = re.compile(rf"{_heading(words)}\n?(?P<body>[^\n]+(?:\n[^\n]+)*)", re.IGNORECASE | re.MULTILINE)
    found = [match["body"] for match in heading.finditer(text)]
    return found[-1].strip() if found else ""


def work_shown(asked: Asked) -> str:
    """The work that is to be reviewed or revised, with everything after it in the prompt where it is code."""
    rest = asked.record if section(asked.record, _WORK) else asked.prompt
    heading = re.compile(rf"{_heading(_WORK)}$", re.IGNORECASE | re.MULTILINE)
    starts = [match.end() for match in heading.finditer(rest) if not re.search(_FEEDBACK, match[0], re.IGNORECASE)]
    # Memory comes as "Version 1:" and the like, so the work to look at is under the last heading of its kind.
    return rest[starts[-1] :].strip() if starts else section(rest, _WORK) or rest.strip()


def paragraph_shown(asked: Asked) -> str:
    """The first paragraph of the work that is to be reviewed or revised."""
    return work_shown(asked).split("\n\n")[0].strip()


def text_shown(asked: Asked) -> str:
    """The work up to where the feedback on it begins; its first paragraph where none follows it."""
    heading = re.compile(_heading(_FEEDBACK), re.IGNORECASE | re.MULTILINE)
    end = heading.search(work := work_shown(asked))
    return work[: end.start()].strip() if end else paragraph_shown(asked)


def feedback_shown(asked: Asked) -> str:
    """The feedback that a revision is asked to follow: the last in the prompt; "" where nobody gave any."""
    feedback = section(asked.prompt, _FEEDBACK)
    return "" if _NO_FEEDBACK.fullmatch(feedback) else feedback


def step_shown(asked: Asked) -> str:
    """The plan's step that is to be carried out, or "" where the prompt names none."""
    found = _STEP_AHEAD.search(asked.prompt)
    return found["step"].strip() if found else ""


def _heading(words: str) -> str:
    """The pattern of a short line's beginning that has one of these words before a colon."""
    return rf"^(?=[^\n:：]*(?:{words}))[^\n:：.,;。，；]{{1,50}}[:：][ \t]*"


def _question(prompt: str) -> tuple[str, Known]:
    """The question and what is known of it: the last one with a label, else the last paragraph that is known."""
    labels = list(_QUESTION.finditer(prompt))
    start = labels[-1].end() if labels else 0
    paragraphs = [_unrecorded(part) for part in prompt[start:].split("\n\n") if part.strip()]
    labelled = paragraphs[:1] if labels else []
    candidates = [*labelled, *reversed(paragraphs[-_MOST_PARAGRAPHS:])]
    for candidate in candidates:
        known = find_problem(candidate[:_LONGEST_QUESTION]) or find_work(candidate[:_LONGEST_QUESTION])
        if known is not None:
            return candidate, known
    for candidate in labelled or candidates:
        if labelled or "[" not in candidate:
            known = expression_problem(candidate[:_LONGEST_QUESTION])
            if known is not None:
                return candidate, known
    return (candidates[0] if candidates else ""), None


def _unrecorded(paragraph: str) -> str:
    """The paragraph up to its first label of a record, if it does not begin with one."""
    ends = [label.start for label in find_labels(paragraph) if label.start > 0]
    return paragraph[: min(ends, default=len(paragraph))].strip()


def _language(prompt: str, question: str) -> Language:
    """The language that is asked for, else that of the question."""
    asked = [match["en"] or match["zh"] for match in _REPLY_IN.finditer(prompt)]
    if asked:
        return "zh" if asked[-1].lower() in ("chinese", "中文", "汉语") else "en"
    return "zh" if _CHINESE.search(question or prompt) else "en"


def _role(prompt: str, record: str) -> Role:
    """What kind of work the prompt asks for."""
    if tools_in(prompt) or ASKS_FOR_ACTION.search(prompt):
        return "act"
    has_work = bool(section(prompt, _WORK))
    if _VERDICTS.search(prompt) and has_work:
        return "review"
    if _REVISE.search(prompt) and section(prompt, _FEEDBACK) and has_work:
        return "revise"
    if _REVIEW.search(prompt) and has_work:
        return "review"
    if _PLAN.search(prompt) or section(prompt, "results?|结果"):
        if _STEP_AHEAD.search(prompt):
            return "carry_out"
        if _FINISHED.search(prompt) or section(record, "results?|结果"):
            return "conclude"
        if not _CARRIES_OUT_ALL.search(prompt):
            return "plan"
    return "answer"


def _style(prompt: str) -> Style:
    def wants(pattern: str) -> bool:
        return re.search(pattern, prompt, re.IGNORECASE) is not None

    return Style(
        is_brief=wants(
            r"\bbe (?:very )?(?:brief|short|terse|concise)|\bterse|\bconcise|\bshort (?:thought|answer)s?"
            r"|\bkeep (?:it|\w+ \w+) (?:short|brief)|简短(?!推算|说明)|简洁|简练|尽量短|言简意赅"
        ),
        only_answer=wants(
            r"\banswer alone|\bonly the (?:answer|number|result)|\bjust the (?:answer|number)|\bin one word"
            r"|\b(?:one|single)[- ]word|\bno explanation|只写答案|只给出答案|只回答数字|一个词|只写结果|不要解释"
        ),
        step_by_step=wants(
            r"step[- ]by[- ]step|\bcalculate carefully|carry out the plan|一步一步|(?<!不要)逐步|一步步|仔细计算"
        ),
        answer_line=wants(r"[\"“]?Answer:[\"”]|begins? with [\"“']?Answer|[“\"]答案[:：][”\"]"),
        without_remarks=wants(r"without (?:any )?remarks|work itself|不要附加说明|只回复成果"),
        is_pirate=wants(r"\bpirate|海盗"),
    )
