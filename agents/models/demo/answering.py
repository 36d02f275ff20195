"""Answers in one go, from memory: what a question gets that comes without tools, plan or review."""

from agents.models.demo.phrases import joined, say
from agents.models.demo.problems import Problem
from agents.models.demo.reading import Asked
from agents.models.demo.works import CodeTask, Work, first_code


def answer_directly(asked: Asked) -> str:
    """The answer, worked out as far as the prompt wants it: not at all, briefly, or step by step.

    Its facts are those of memory in any case. Only step by step does it avoid the slip that it knows for a problem.
    """
    if asked.known is None:
        return styled(say("unknown", asked.language), asked)
    if not isinstance(asked.known, Problem):
        return work_text(asked.known, asked)

    problem, language, style = asked.known, asked.language, asked.style
    careless = problem.slip is not None and not style.step_by_step
    expressions = problem.slip.expressions if problem.slip and careless else problem.expressions
    lines, values = problem.work_out(problem.remembered(), expressions, language)
    answer = problem.answer(values, language, is_short=style.only_answer)
    told = [*problem.facts_told(values, language), *lines]
    if style.step_by_step:
        numbered = [f"{number}. {text}" for number, text in enumerate(told, start=1)]
        last = say("answer_line", language, {"text": answer}) if style.answer_line else answer
        return "\n".join([*numbered, styled(last, asked)])
    if style.only_answer or style.is_brief or style.without_remarks:
        return styled(answer, asked)
    return styled(worked(problem, values, lines, asked), asked)


def worked(problem: Problem, values: dict[str, str], lines: list[str], asked: Asked) -> str:
    """Facts, calculations and answer as running text."""
    end = "." if asked.language == "en" else "。"
    told = [*problem.facts_told(values, asked.language), *(line + end for line in lines)]
    answer = problem.answer(values, asked.language, is_short=asked.style.only_answer)
    return joined([text for text in told if text != answer] + [answer], asked.language)


def work_text(work: Work, asked: Asked) -> str:
    """The first version of a piece of writing."""
    if isinstance(work, CodeTask):
        return first_code(asked.prompt).text(asked.language)
    return styled(work.first[asked.language], asked)


def styled(text: str, asked: Asked) -> str:
    """The text as a pirate says it, where the prompt wants that."""
    return say("pirate", asked.language, {"text": text}) if asked.style.is_pirate else text
