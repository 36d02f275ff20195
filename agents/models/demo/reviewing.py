"""Replies to the prompts of a review: the feedback on a piece of work.

A reviewer looks at the work in its prompt, never at a counter: the same work gets the same feedback.
"""

import re
from collections.abc import Mapping
from typing import Literal

from agents.models.demo.numbers import numbers_in
from agents.models.demo.phrases import content, joined, listed
from agents.models.demo.problems import Problem
from agents.models.demo.reading import Asked, paragraph_shown, work_shown
from agents.models.demo.works import CodeTask, ReadCode, TextTask, code_in, read_code
from agents.prompts import fill

Focus = Literal["kind", "efficiency", "readability", "strict", "everything"]

_FOCUS: tuple[tuple[Focus, str], ...] = (
    ("kind", r"\bkind\b|encourag|friendly|\bpraise|和善|鼓励|友好|表扬"),
    ("efficiency", r"efficien|complexity|running time|performance|\bfaster\b|复杂度|运行时间|效率|性能"),
    ("readability", r"readab|clarity|\bmaintain|\bnaming\b|\bnames that|可读|清晰|维护|命名"),
    ("strict", r"\bstrict\b|hard to satisfy|严格|苛刻"),
)
CHECKS = r"\bcheck|\bverif|验算|检验"  # what a text speaks of that has a check in it, or asks for one
_VERDICT = re.compile(r"(?P<label>[Vv]erdict|VERDICT|结论)\s*[:：]|\b(?P<word>APPROVED)\b")


def review(asked: Asked) -> str:
    """Feedback on the work, and the verdict where the prompt asks for one."""
    focus = _focus(asked)
    feedback, approved = _opinion(asked, focus)
    verdict = _verdict(asked.prompt, approved)
    return f"{feedback}\n{verdict}" if verdict else feedback


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
    if isinstance(asked.known, CodeTask):
        return _opinion_on_code(asked, code_in(work_shown(asked)), focus)
    if focus == "efficiency":
        return _said("no_algorithm", asked), True
    if isinstance(asked.known, TextTask):
        return _opinion_on_text(asked, asked.known, paragraph_shown(asked), focus)
    return _opinion_on_answer(asked, asked.known, paragraph_shown(asked), focus)


def _opinion_on_code(asked: Asked, source: str, focus: Focus) -> tuple[str, bool]:
    if not source:
        return _said("no_code", asked), False
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
    if seen.leaves_out_n:
        return _said("off_by_one", asked), False
    if algorithm == "naive":
        return _said("bounded", asked), False
    faults = _faults_of_style(asked, seen) if focus == "strict" else []
    return (joined(faults, asked.language), False) if faults else (_said("code_fine", asked), True)


def _faults_of_style(asked: Asked, seen: ReadCode) -> list[str]:
    """What a strict reviewer still finds in code that does its work well."""
    names = _said("names", asked, {"names": ", ".join(seen.unclear_names)}) if seen.unclear_names else ""
    untyped = "" if seen.code.is_typed else _said("untyped", asked)
    undocumented = "" if seen.code.has_docstring else _said("undocumented", asked)
    return [fault for fault in (names, untyped, undocumented) if fault]


def _opinion_on_text(asked: Asked, task: TextTask, text: str, focus: Focus) -> tuple[str, bool]:
    count = len(re.findall(r"[.!?。！？]+", text))
    hard = [word for word in task.hard_words[asked.language] if word in text]
    faults = []
    if focus != "readability" and count != task.sentences:
        faults.append(_said("sentences", asked, {"count": str(count), "wanted": str(task.sentences)}))
    if hard:
        faults.append(_said("hard_words", asked, {"words": (", " if asked.language == "en" else "、").join(hard)}))
    if not faults and focus == "strict" and task.vague[asked.language] in text:
        faults.append(_said("vague", asked, {"place": task.vague[asked.language]}))
    if faults:
        return joined(faults, asked.language), False
    return _said("clear" if focus == "readability" else "text_fine", asked), True


def _opinion_on_answer(asked: Asked, problem: Problem, text: str, focus: Focus) -> tuple[str, bool]:
    """Works the problem out again. Someone who reads for clarity alone does not, and lets a wrong number pass."""
    lines, values = problem.worked_out_from(text, asked.language)
    if focus == "readability":
        return (_said("clear", asked), True) if _has_working(text) else (_said("unclear", asked), False)
    if problem.result(values) not in numbers_in(text):
        slip = problem.slip
        is_slip = slip is not None and _slip_result(asked, problem) in numbers_in(text)
        told = fill(slip.feedback[asked.language], problem.given) if slip and is_slip else _said("wrong", asked)
        return joined([told, listed(lines, asked.language)], asked.language), False
    if not _has_working(text):
        return joined([_said("unshown", asked), listed(lines, asked.language)], asked.language), False
    check = problem.check_with(values)
    if focus == "strict" and check and not re.search(CHECKS, text, re.IGNORECASE):
        return _said("no_check", asked, {"place": lines[-1], "check": check}), False
    unchecked = _said("unchecked", asked) if problem.facts else ""
    return joined([_said("same", asked), listed(lines, asked.language), unchecked], asked.language), True


def _slip_result(asked: Asked, problem: Problem) -> str:
    expressions = problem.slip.expressions if problem.slip else {}
    return problem.result(problem.work_out(problem.remembered(), expressions, asked.language)[1])


def _has_working(text: str) -> bool:
    return "=" in text


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
