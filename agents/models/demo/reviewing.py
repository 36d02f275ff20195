"""Replies to the prompts of a review: the feedback on a piece of work, and its revision.

Both look at the work in their prompt, never at a counter: the same work gets the same feedback.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from agents.models.demo.answering import answer_directly, styled, worked
from agents.models.demo.numbers import numbers_in
from agents.models.demo.phrases import content, joined
from agents.models.demo.problems import Problem
from agents.models.demo.reading import Asked, feedback_shown, work_shown
from agents.models.demo.works import CodeTask, TextTask, code_in, first_code, read_code
from agents.prompts import fill

Focus = Literal["kind", "efficiency", "readability", "everything"]

_FOCUS: tuple[tuple[Focus, str], ...] = (
    ("kind", r"\bkind\b|encourag|friendly|\bpraise|和善|鼓励|友好|表扬"),
    ("efficiency", r"efficien|complexity|running time|performance|\bfaster\b|复杂度|运行时间|效率|性能"),
    ("readability", r"readab|clarity|\bmaintain|\bnaming\b|\bnames that|可读|清晰|维护|命名"),
)
_VERDICT = re.compile(r"(?P<label>[Vv]erdict|VERDICT|结论)\s*[:：]|\b(?P<word>APPROVED)\b")
_ASKS: Mapping[str, str] = {
    "sieve": r"\bsieve\b|eratosthenes|筛",
    "bounded": r"square root|sqrt|平方根",
    "names": r"\brenam|\bnames?\b|\bnaming\b|改名|名称|命名",
    "types": r"type hint|annotat|类型标注|类型注解",
    "docstring": r"docstring|文档字符串",
    "short": r"shorter|too long|\bbrief|更短|太长|简短",
    "simpler": r"\bwords?\b|sentence|simpl|词|句|简单",
}


def review(asked: Asked) -> str:
    """Feedback on the work, and the verdict where the prompt asks for one."""
    focus = _focus(asked)
    feedback, approved = _opinion(asked, focus)
    verdict = _verdict(asked.prompt, approved)
    return f"{feedback}\n{verdict}" if verdict else feedback


def revise(asked: Asked) -> str:
    """The work again, changed in what the feedback asks for."""
    work, feedback = work_shown(asked), feedback_shown(asked)
    if isinstance(asked.known, CodeTask):
        return _revised_code(asked, code_in(work), feedback)
    if isinstance(asked.known, TextTask):
        is_asked = _asks("simpler", feedback) or _asks("short", feedback)
        return styled(asked.known.better[asked.language], asked) if is_asked else _first_paragraph(work)
    if isinstance(asked.known, Problem):
        return _revised_answer(asked, asked.known, _first_paragraph(work), feedback)
    return answer_directly(asked)


def _focus(asked: Asked) -> Focus:
    """What the reviewer is told to look at."""
    for focus, words in _FOCUS:
        if re.search(words, asked.prompt, re.IGNORECASE):
            return focus
    return "everything"


def _opinion(asked: Asked, focus: Focus) -> tuple[str, bool]:
    """What the reviewer says of the work, and whether it approves."""
    if asked.known is None:
        return _said("unknown", asked), True
    if focus == "kind":
        return _said("kind", asked), True
    work = work_shown(asked)
    if isinstance(asked.known, CodeTask):
        return _opinion_on_code(asked, code_in(work), focus)
    if focus == "efficiency":
        return _said("no_algorithm", asked), True
    if isinstance(asked.known, TextTask):
        return _opinion_on_text(asked, asked.known, _first_paragraph(work), focus)
    return _opinion_on_answer(asked, asked.known, _first_paragraph(work), focus)


def _opinion_on_code(asked: Asked, source: str, focus: Focus) -> tuple[str, bool]:
    try:
        seen = read_code(source)
    except SyntaxError as error:
        return _said("not_python", asked, {"line": str(error.lineno or 1)}), False
    algorithm = seen.code.algorithm
    if focus == "efficiency":
        if algorithm == "sieve":
            return _said("fast", asked), True
        return _said("slow", asked, {"cost": "O(n²)" if algorithm == "naive" else "O(n·√n)"}), False
    if focus == "readability":
        if seen.unclear_names:
            return _said("names", asked, {"names": ", ".join(seen.unclear_names)}), False
        return _said("clear", asked), True
    return (_said("bounded", asked), False) if algorithm == "naive" else (_said("code_fine", asked), True)


def _opinion_on_text(asked: Asked, task: TextTask, text: str, focus: Focus) -> tuple[str, bool]:
    count = len(re.findall(r"[.!?。！？]+", text))
    hard = [word for word in task.hard_words[asked.language] if word in text]
    faults = []
    if focus == "everything" and count != task.sentences:
        faults.append(_said("sentences", asked, {"count": str(count), "wanted": str(task.sentences)}))
    if hard:
        faults.append(_said("hard_words", asked, {"words": (", " if asked.language == "en" else "、").join(hard)}))
    if faults:
        return joined(faults, asked.language), False
    return _said("text_fine" if focus == "everything" else "clear", asked), True


def _opinion_on_answer(asked: Asked, problem: Problem, text: str, focus: Focus) -> tuple[str, bool]:
    """Works the problem out again. Someone who reads for clarity alone does not, and lets a wrong number pass."""
    lines, values = _worked_out(asked, problem, text)
    if focus == "readability":
        return (_said("clear", asked), True) if _has_working(text) else (_said("unclear", asked), False)
    if problem.result(values) not in numbers_in(text):
        slip = problem.slip
        is_slip = slip is not None and _slip_result(asked, problem) in numbers_in(text)
        told = fill(slip.feedback[asked.language], problem.given) if slip and is_slip else _said("wrong", asked)
        return joined([told, _listed(lines, asked)], asked.language), False
    if not _has_working(text):
        return joined([_said("unshown", asked), _listed(lines, asked)], asked.language), False
    unchecked = _said("unchecked", asked) if problem.facts else ""
    return joined([_said("same", asked), _listed(lines, asked), unchecked], asked.language), True


def _revised_code(asked: Asked, source: str, feedback: str) -> str:
    try:
        code = read_code(source).code
    except SyntaxError:
        code = first_code(asked.prompt)
    if _asks("sieve", feedback):
        code = replace(code, algorithm="sieve")
    elif _asks("bounded", feedback) and code.algorithm == "naive":
        code = replace(code, algorithm="bounded")
    return replace(
        code,
        has_clear_names=code.has_clear_names or _asks("names", feedback),
        is_typed=code.is_typed or _asks("types", feedback),
        has_docstring=code.has_docstring or _asks("docstring", feedback),
    ).text(asked.language)


def _revised_answer(asked: Asked, problem: Problem, text: str, feedback: str) -> str:
    """The answer with its working. A wrong number is mended only where the feedback has the right one."""
    lines, values = _worked_out(asked, problem, text)
    is_wrong = problem.result(values) not in numbers_in(text)
    if is_wrong and problem.result(values) not in numbers_in(feedback) and problem.slip:
        lines, values = problem.work_out(values, problem.slip.expressions, asked.language)
    if _asks("short", feedback):
        return styled(problem.answer(values, asked.language), asked)
    return styled(worked(problem, values, lines, asked), asked)


def _worked_out(asked: Asked, problem: Problem, text: str) -> tuple[list[str], dict[str, str]]:
    """The problem worked out with the facts that the work itself names; memory has the others."""
    named = {fact.name: value for fact in problem.facts if (value := fact.value_named_in(text))}
    values = {**problem.remembered(), **named}
    return problem.work_out(values, problem.expressions, asked.language)


def _slip_result(asked: Asked, problem: Problem) -> str:
    expressions = problem.slip.expressions if problem.slip else {}
    return problem.result(problem.work_out(problem.remembered(), expressions, asked.language)[1])


def _listed(lines: list[str], asked: Asked) -> str:
    return "; ".join(lines) + "." if asked.language == "en" else "；".join(lines) + "。"


def _has_working(text: str) -> bool:
    return "=" in text


def _first_paragraph(text: str) -> str:
    return text.split("\n\n")[0].strip()


def _verdict(prompt: str, approved: bool) -> str:
    """The verdict's line in the words that the prompt uses, or "" where it asks for none."""
    asked_for = _VERDICT.search(prompt)
    if asked_for is None:
        return ""
    if asked_for["word"]:
        return "APPROVED" if approved else "REVISE"
    if asked_for["label"] == "结论":
        return f"结论：{'通过' if approved else '修改'}"
    return f"Verdict: {'APPROVED' if approved else 'REVISE'}"


def _said(name: str, asked: Asked, values: Mapping[str, str] | None = None) -> str:
    return fill(content("works.toml")["feedback"][name][asked.language], values or {})


def _asks(change: str, feedback: str) -> bool:
    return re.search(_ASKS[change], feedback, re.IGNORECASE) is not None
