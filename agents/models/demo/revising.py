"""Replies to the prompts of a revision: the work again, changed in what the feedback asks for."""

import re
from collections.abc import Mapping
from dataclasses import replace

from agents.models.demo.answering import styled, worked
from agents.models.demo.numbers import numbers_in
from agents.models.demo.phrases import say
from agents.models.demo.problems import Problem
from agents.models.demo.reading import Asked, feedback_shown, paragraph_shown, text_shown, work_shown
from agents.models.demo.reviewing import CHECKS
from agents.models.demo.works import CodeTask, TextTask, code_in, first_code, read_code

_ASKS: Mapping[str, str] = {
    "sieve": r"\bsieve\b|eratosthenes|筛",
    "bounded": r"square root|sqrt|平方根",
    "names": r"\brenam|\bnames?\b|\bnaming\b|改名|名称|命名",
    "types": r"type hint|annotat|类型标注|类型注解",
    "docstring": r"docstring|文档字符串",
    "short": r"shorter|too long|\bbrief|更短|太长|简短|短一[点些]|缩短",
    "precise": r"precise|vague|\bbehind\b|准确|含糊|背后",
    "simpler": r"\bwords?\b|sentence|simpl|词|句|简单",
}


def revise(asked: Asked) -> str:
    """The work again, changed in what the feedback asks for; as it is where nobody gave feedback."""
    feedback = feedback_shown(asked)
    if isinstance(asked.known, CodeTask):
        source = code_in(work_shown(asked))
        return _revised_code(asked, source, feedback) if feedback or not source else f"```python\n{source}\n```"
    if not feedback or asked.known is None:
        return text_shown(asked)
    if isinstance(asked.known, TextTask):
        return styled(_revised_text(asked, asked.known, paragraph_shown(asked), feedback), asked)
    return styled(_revised_answer(asked, asked.known, paragraph_shown(asked), feedback), asked)


def _revised_code(asked: Asked, source: str, feedback: str) -> str:
    try:
        code = read_code(source).code if source else first_code(asked.prompt)
    except SyntaxError:
        code = first_code(asked.prompt)
    if _asks("sieve", feedback):
        code = replace(code, algorithm="sieve")
    elif _asks("bounded", feedback) and code.algorithm == "naive":
        code = replace(code, algorithm="bounded")
    is_shorter = _asks("short", feedback)
    return replace(
        code,
        has_clear_names=(code.has_clear_names and not is_shorter) or _asks("names", feedback),
        is_typed=code.is_typed or _asks("types", feedback),
        has_docstring=(code.has_docstring and not is_shorter) or _asks("docstring", feedback),
    ).text(asked.language)


def _revised_text(asked: Asked, task: TextTask, text: str, feedback: str) -> str:
    if _asks("precise", feedback):
        return task.precise[asked.language]
    return task.better[asked.language] if _asks("simpler", feedback) or _asks("short", feedback) else text


def _revised_answer(asked: Asked, problem: Problem, text: str, feedback: str) -> str:
    """The answer with its working. A wrong number is mended only where the feedback has the right one."""
    lines, values = problem.worked_out_from(text, asked.language)
    is_wrong = problem.result(values) not in numbers_in(text)
    if is_wrong and problem.result(values) not in numbers_in(feedback) and problem.slip:
        lines, values = problem.work_out(values, problem.slip.expressions, asked.language)
    if _asks("short", feedback):
        answer = problem.answer(values, asked.language)
        return answer if text != answer else problem.answer(values, asked.language, is_short=True)
    check = problem.check_with(values)
    if check and re.search(CHECKS, f"{text} {feedback}", re.IGNORECASE):
        lines.append(say("check", asked.language, {"check": check}))
    return worked(problem, values, lines, asked)


def _asks(change: str, feedback: str) -> bool:
    return re.search(_ASKS[change], feedback, re.IGNORECASE) is not None
