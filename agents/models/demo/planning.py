"""Replies to the prompts of a plan: making it, carrying out one of its steps, and answering from the results."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from agents.models.demo.answering import answer_directly, styled
from agents.models.demo.numbers import NUMBER, SUM, in_the_head, numbers_in, shape, shown
from agents.models.demo.phrases import joined, listed, say
from agents.models.demo.problems import Calculation, Problem, expression_problem
from agents.models.demo.reading import Asked, step_shown
from agents.prompts import fill

_LIST = re.compile(r"python list|\bjson\b|list of strings|\[\"|(?<!编号)列表", re.IGNORECASE)
_NUMBERED = re.compile(r"number(?:ed)? (?:list|lines|steps|your|the|each)|编号|一行一步|每行一步", re.IGNORECASE)
_TERSE = re.compile(
    r"\b(?:two|three|four|five|six) words|\bterse|\bbe brief|\bshort steps|\bkeep .{0,20}short|个字(?!符)|简短|简洁",
    re.IGNORECASE,
)
_MOST = re.compile(r"(?:at most|no more than|up to|maximum(?: of)?|最多|不超过|至多)\s*(\d+)", re.IGNORECASE)
_RESULT = re.compile(
    r"^(?P<number>\d+)\. (?P<step>[^\n]*)\n(?:Result|结果)[:：] ?(?P<text>[^\n]*(?:\n(?!\d+\. )[^\n]+)*)", re.MULTILINE
)
_PLANNED = re.compile(r"^\d+\. (?P<step>[^\n]*)$", re.MULTILINE)


@dataclass(frozen=True)
class Result:
    """What a prompt says came out of a step."""

    step: str
    text: str


def plan(asked: Asked) -> str:
    """A plan: as a Python list, as numbered lines, or in prose where no form is asked for."""
    instructions = "\n".join([asked.prompt, *(turn.content for turn in asked.later if turn.role == "user")])
    steps = _steps(asked, is_terse=_TERSE.search(instructions) is not None)
    if most := _MOST.search(instructions):
        steps = _at_most(int(most[1]), steps, asked)
    if _LIST.search(instructions):
        return f"```python\n{json.dumps(steps, ensure_ascii=False)}\n```"
    if _NUMBERED.search(instructions):
        return "\n".join(f"{number}. {step}" for number, step in enumerate(steps, start=1))
    names = ["plan_first", *["plan_next"] * (len(steps) - 2), "plan_last"][: len(steps)]
    return joined(
        [say(name, asked.language, {"step": step}) for name, step in zip(names, steps, strict=True)], asked.language
    )


def carry_out(asked: Asked) -> str:
    """The result of one step, from the numbers of the question and of the results that the prompt shows."""
    results = results_in(asked.prompt)
    step = step_shown(asked) or _next_planned(asked, len(results))
    if not isinstance(asked.known, Problem):
        is_own = say("plan_work", asked.language, {"task": asked.question}) == step
        return answer_directly(asked) if asked.known is not None and is_own else _unknown_step(asked, step)
    if own_sum := _sum_in(step, asked):
        return styled(own_sum, asked)
    problem, language = asked.known, asked.language
    known = _known(problem, results)
    told = []
    for fact in problem.facts:
        if fact.is_about(step) and fact.name not in known:
            known[fact.name] = fact.memory
            told.append(say("from_memory", language, {"text": fact.found(fact.memory, language)}))
    asked_for = [calculation for calculation in problem.calculations if calculation.is_asked_in(step)]
    if not asked_for and not told:
        told = [fact.found(known[fact.name], language) for fact in problem.facts if fact.is_about(step)]
    if not asked_for and not told:
        return _unknown_step(asked, step)
    for calculation in asked_for:
        known |= _numbers_named_in(step, calculation, asked)
        told += _missing_facts(problem, calculation.expression, known, asked)
        lines, known = problem.work_out(known, _needed(problem, calculation.name, known), language)
        told.append("\n".join(lines) + ("." if language == "en" else "。"))
        told.append(calculation.found(known[calculation.name], language) if calculation.name in known else "")
    if asked_for and asked_for[-1] is problem.calculations[-1] and problem.compare:
        told[-1] = problem.answer(known, language)
    return styled(joined(list(dict.fromkeys(told)), language), asked)


def conclude(asked: Asked) -> str:
    """The answer to the question, from the results that the prompt shows."""
    results = results_in(asked.prompt)
    if not isinstance(asked.known, Problem):
        return results[-1].text if asked.known is not None and results else answer_directly(asked)
    problem, language, is_short = asked.known, asked.language, asked.style.only_answer
    if not results:
        answer = answer_directly(asked) if asked.style.step_by_step else styled(_guess(problem, asked), asked)
        return say("off_the_head", language, {"text": answer})
    known = _known(problem, results)
    last = problem.calculations[-1]
    told: list[str] = []
    if last.name not in known:
        told = _missing_facts(problem, last.expression, known, asked)
        lines, known = problem.work_out(known, _needed(problem, last.name, known), language)
        told.append(say("not_in_results", language, {"lines": listed(lines, language)}) if lines else "")
    answer = problem.answer({**problem.remembered(), **known}, language, is_short)
    return styled(joined([*told, answer], language), asked)


def _guess(problem: Problem, asked: Asked) -> str:
    """The answer as it comes to mind, without going through any step: with the mistake that is easily made, if any."""
    expressions = problem.slip.expressions if problem.slip else problem.expressions
    _, known = problem.work_out(problem.remembered(), expressions, asked.language)
    return problem.answer(known, asked.language, asked.style.only_answer)


def results_in(prompt: str) -> list[Result]:
    """The results that the prompt shows, in order.

    >>> results_in("Results so far:\\n1. Add.\\nResult: 1 + 1 = 2\\n\\nGo on.")
    [Result(step='Add.', text='1 + 1 = 2')]
    """
    return [Result(match["step"], match["text"].strip()) for match in _RESULT.finditer(prompt)]


def _steps(asked: Asked, is_terse: bool) -> list[str]:
    """The steps of the plan for this question."""
    language, problem = asked.language, asked.known
    if problem is None:
        return [say("plan_unknown", language)]
    if not isinstance(problem, Problem):
        return [say("plan_work", language, {"task": asked.question})]
    parts = [fact.words[language] for fact in problem.facts]
    parts += [calculation.words[language] for calculation in problem.calculations]
    return [fill(words["terse" if is_terse else "step"], problem.given) for words in parts]


def _at_most(most: int, steps: list[str], asked: Asked) -> list[str]:
    """The steps, the last ones put together where there are too many."""
    if not 0 < most < len(steps):
        return steps
    return [*steps[: most - 1], say("plan_joint", asked.language).join(steps[most - 1 :])]


def _next_planned(asked: Asked, finished: int) -> str:
    """The step that is due by the plan, for a prompt that does not name it."""
    steps = list(dict.fromkeys(match["step"] for match in _PLANNED.finditer(asked.prompt)))
    return steps[finished] if finished < len(steps) else ""


def _known(problem: Problem, results: list[Result]) -> dict[str, str]:
    """The numbers of the question and of the results."""
    known = dict(problem.given)
    for result in results:
        asked_for = [calculation for calculation in problem.calculations if calculation.is_asked_in(result.step)]
        for calculation in asked_for or _of_the_same_shape(problem, result.text):
            if value := _outcome(result.text):
                known[calculation.name] = value
        for fact in problem.facts:
            if fact.is_about(result.step) and not asked_for and (value := fact.value_in(result.text)):
                known[fact.name] = value
    return known


def _of_the_same_shape(problem: Problem, text: str) -> list[Calculation]:
    """The calculations that the text may be the result of, by its sum alone: the plan names none of them."""
    done = {shape(sum_) for sum_, _ in SUM.findall(text)}
    return [one for one in problem.calculations if shape(re.sub(r"\{\w+\}", "1", one.expression)) in done]


def _outcome(text: str) -> str | None:
    """The number that a calculation ended with: the one after the last sign of equality, else the last.

    Where the sum is right and the sentence after it has another number, somebody put that there, and it counts.

    >>> _outcome("18 * 24 = 432. There are 432 seats."), _outcome("18 * 24 = 432. There are 500 seats.")
    ('432', '500')
    """
    sums = list(SUM.finditer(text))
    if not sums:
        found = re.findall(rf"-?{NUMBER}", text)
        return found[-1].replace(",", "") if found else None
    result = sums[-1][2].replace(",", "")
    told = set(numbers_in(text[sums[-1].end() :]))
    is_right = shown(in_the_head(sums[-1][1].strip()) or "") == result
    return told.pop() if is_right and len(told) == 1 else result


def _needed(problem: Problem, name: str, known: Mapping[str, str]) -> dict[str, str]:
    """The expressions that lead to this result, without those whose results are known."""
    needed: dict[str, str] = {}
    for other, expression in problem.expressions.items():
        if other == name or (other not in known and f"{{{other}}}" in problem.expressions[name]):
            needed[other] = expression
    return needed


def _numbers_named_in(step: str, calculation: Calculation, asked: Asked) -> dict[str, str]:
    """The numbers of the question as the step has them: a person who changes a plan may have put others there."""
    names = re.findall(r"\{(\w+)\}", calculation.words[asked.language]["step"])
    numbers = numbers_in(step)
    return dict(zip(names, numbers, strict=True)) if len(names) == len(numbers) else {}


def _missing_facts(problem: Problem, expression: str, known: dict[str, str], asked: Asked) -> list[str]:
    """Takes facts from memory that the calculation needs and no result gives, and says so."""
    uses = problem.facts if problem.compare else [fact for fact in problem.facts if f"{{{fact.name}}}" in expression]
    missing = [fact for fact in uses if fact.name not in known]
    known |= {fact.name: fact.memory for fact in missing}
    if not missing:
        return []
    told = joined([fact.found(fact.memory, asked.language) for fact in missing], asked.language)
    return [say("no_results", asked.language, {"text": told})]


def _sum_in(step: str, asked: Asked) -> str:
    """The result of a calculation that is written in the step itself."""
    problem = expression_problem(step)
    if problem is None:
        return ""
    expression = problem.calculations[0].expression
    value = in_the_head(expression)
    return f"{expression} = {shown(value)}" if value is not None else problem.answer({}, asked.language)


def _unknown_step(asked: Asked, step: str) -> str:
    if asked.known is None:
        return styled(say("unknown", asked.language), asked)
    return styled(say("unknown_step", asked.language, {"step": step}), asked)
