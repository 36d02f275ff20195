"""Decides the next move where tools are offered: look up what is not known, calculate with what is, then finish."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agents.models.demo.answering import styled, work_text
from agents.models.demo.numbers import in_the_head, numbers_in, result_in, shape, shown
from agents.models.demo.phrases import joined, listed, say
from agents.models.demo.problems import Calculation, Fact, Problem
from agents.models.demo.reading import Asked
from agents.models.demo.trajectory import Turn
from agents.parsing.labels import find_labels
from agents.prompts import fill

_BY_MEMORY = re.compile(r"\bmemory\b|记忆", re.IGNORECASE)


@dataclass(frozen=True)
class Move:
    """What the model decides to do next. The tool "Finish" ends the work."""

    thought: str
    tool: str
    input: str


@dataclass(frozen=True)
class Told:
    """A number that the trajectory gives, and the turn (counted from 0) in which it does."""

    value: str
    turn: int


def next_move(asked: Asked, turns: Sequence[Turn], tools: tuple[str, ...]) -> Move:
    """Looks up what is not known, calculates what is, and finishes."""
    language, problem = asked.language, asked.known
    if problem is None:
        return Move(say("unknown_thought", language), "Finish", say("unknown", language))
    if not isinstance(problem, Problem):
        return Move(_thought(asked, "", say("so", language)), "Finish", work_text(problem, asked))

    last = turns[-1] if turns else None
    news = say("reminded", language) if last and not last.tool else ""
    values = dict(problem.given)
    guessed: list[str] = []
    since = 0
    for fact in problem.facts:
        searches = [turn for turn in turns if _is_search(turn, fact)]
        told = believed(fact, turns)
        untried = [query for query in fact.queries[language] if query not in [turn.input for turn in searches]]
        if told is None and "Search" in tools and untried:
            news = say("not_found", language) if searches else news
            return Move(_thought(asked, news, fact.words[language]["need"]), "Search", untried[0])
        if told is None:
            guessed.append(fact.found(fact.memory, language))
        elif searches and searches[-1] is last:
            news = fact.found(told.value, language)
        values[fact.name] = told.value if told else fact.memory
        since = max(since, told.turn if told else 0)

    if guessed:
        news = joined([news, say("cannot_look_up", language, {"text": joined(guessed, language)})], language)
    values = problem.compared(values, language)
    for calculation in problem.calculations:
        expression = fill(calculation.expression, values)
        sums = sums_of(calculation, expression, turns, since)
        told = calculated(calculation, sums, turns, since)
        untried = [form for form in (expression, _compact(expression)) if form not in [turn.input for turn in sums]]
        if told is None and "Calculator" in tools and untried:
            news = say("not_calculated", language) if sums else news
            need = fill(calculation.words[language]["need"], values)
            return Move(_thought(asked, news, need), "Calculator", untried[0])
        if told is not None:
            values = {**with_numbers_of(sums, expression, values), calculation.name: told.value}
            since = told.turn
            result = calculation.found(told.value, language)
            news = result if sums and sums[-1] is last else joined([news, result], language)
        elif (value := in_the_head(expression)) is not None:
            lines, _ = problem.work_out(values, {calculation.name: calculation.expression}, language)
            values[calculation.name] = value
            news = joined([news, listed(lines, language), calculation.found(value, language)], language)

    answer = problem.answer(values, language, is_short=asked.style.only_answer or _imitates_examples(asked))
    answer = say("from_memory", language, {"text": answer}) if guessed else answer
    return Move(_thought(asked, news, say("so", language), is_done=True), "Finish", styled(answer, asked))


def believed(fact: Fact, turns: Sequence[Turn]) -> Told | None:
    """The fact's value by the latest turn that gave one: in what a search found, or in a thought (not from memory)."""
    told: Told | None = None
    for number, turn in enumerate(turns):
        told = _said_otherwise(fact.value_named_in(turn.thought), turn, number, told)
        if _is_search(turn, fact) and (value := fact.value_in(turn.seen)):
            told = Told(value, number)
    return told


def calculated(calculation: Calculation, sums: Sequence[Turn], turns: Sequence[Turn], since: int) -> Told | None:
    """The calculation's result by the latest turn that gave one: in what the calculator said, or in a thought."""
    told: Told | None = None
    for number, turn in enumerate(turns):
        if number >= since:
            told = _said_otherwise(calculation.value_told_in(turn.thought), turn, number, told)
        if turn in sums and (value := result_in(turn.seen)):
            told = Told(value, number)
    return told


def sums_of(calculation: Calculation, expression: str, turns: Sequence[Turn], since: int) -> list[Turn]:
    """The turns that calculated this, else those that did the same sum with numbers that somebody changed.

    Such a sum counts where it came after the latest news of what it is made of, which was in turn number `since`.
    """
    same = [turn for turn in turns if turn.tool == "Calculator" and _compact(turn.input) == _compact(expression)]
    if same or "{" not in calculation.expression:
        return same
    return [turn for turn in turns[since:] if turn.tool == "Calculator" and shape(turn.input) == shape(expression)]


def with_numbers_of(sums: Sequence[Turn], expression: str, values: dict[str, str]) -> dict[str, str]:
    """The values, with the numbers that were calculated with in the place of those of the expression."""
    changed = dict(zip(numbers_in(expression), numbers_in(sums[-1].input), strict=False)) if sums else {}
    return {name: changed.get(value, value) for name, value in values.items()}


def _said_otherwise(value: str | None, turn: Turn, number: int, told: Told | None) -> Told | None:
    """What is told once a thought has said this value.

    The model's own thoughts only repeat what was found, rounded as one says it. Something else is a person's change.
    """
    if value is None or _BY_MEMORY.search(turn.thought) or (told and value == shown(told.value)):
        return told
    return Told(value, number)


def _is_search(turn: Turn, fact: Fact) -> bool:
    return turn.tool == "Search" and fact.is_about(turn.input)


def _thought(asked: Asked, news: str, need: str, is_done: bool = False) -> str:
    """What was just learned, then what is needed next. A brief thought has only one of them."""
    if asked.style.is_brief or _imitates_examples(asked):
        return (news or need) if is_done else need
    return styled(joined([news, need], asked.language), asked)


def _imitates_examples(asked: Asked) -> bool:
    """Whether the prompt shows so often how it is done (more than three observations) that its terse manner sticks."""
    return sum(label.kind == "observation" for label in find_labels(asked.instructions)) > 3


def _compact(expression: str) -> str:
    return re.sub(r"\s", "", expression)
