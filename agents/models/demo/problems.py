"""The word problems that the demo model knows, and how it works them out.

What they are is written down in `problems.toml`. A calculation typed as a question is a problem too.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, get_args

from agents.events import Language
from agents.models.demo.numbers import NUMBER, expression_in, in_the_head, number_with_unit, shown, spoken
from agents.models.demo.phrases import content, say
from agents.prompts import fill

Words = Mapping[str, str]


@dataclass(frozen=True)
class Fact:
    """Something to look up, and what the demo model believes until it has."""

    name: str
    about: str
    unit: str
    memory: str
    words: Mapping[Language, Words]
    queries: Mapping[Language, tuple[str, ...]]

    def is_about(self, text: str) -> bool:
        """Whether the text speaks of it."""
        return re.search(self.about, text, re.IGNORECASE) is not None

    def value_in(self, text: str) -> str | None:
        """The value that a text on this fact gives: the number after its name, else the first with its unit."""
        return number_with_unit(text, self.unit, after=self.about) or number_with_unit(text, self.unit)

    def value_named_in(self, text: str) -> str | None:
        """The value that follows the fact's name in the same clause, in a text that may speak of much else."""
        between = r"(?:(?!\bby\b|\bthan\b|更|比)[^.,;，。；\d\n]){0,40}"  # "taller by 498 m" tells no height
        clause = rf"(?:{self.about})(?={between}\d)"
        return number_with_unit(text, self.unit, after=clause)

    def found(self, value: str, language: Language) -> str:
        """The value as a sentence."""
        return fill(self.words[language]["found"], {"value": spoken(value)})


@dataclass(frozen=True)
class Calculation:
    """One sum: an expression with `{names}` of facts, numbers of the question and earlier results."""

    name: str
    expression: str
    asks: str
    words: Mapping[Language, Words]

    def is_asked_in(self, step: str) -> bool:
        """Whether a plan's step asks for it."""
        return re.search(self.asks, step, re.IGNORECASE) is not None

    def value_told_in(self, text: str) -> str | None:
        """The result that the text tells in the words of `found`."""
        for words in self.words.values():
            before, after = (re.escape(part) for part in words["found"].rstrip(".。").split("{value}"))
            if match := re.search(rf"{before}({NUMBER}){after}(?![A-Za-z0-9])", text, re.IGNORECASE):
                return match[1].replace(",", "")
        return None

    def found(self, value: str, language: Language) -> str:
        """The result as a sentence."""
        return fill(self.words[language]["found"], {"value": spoken(value)})


@dataclass(frozen=True)
class WrongWay:
    """How a problem is got wrong, and what a reviewer who notices says."""

    expressions: Mapping[str, str]
    feedback: Mapping[Language, str]


@dataclass(frozen=True)
class Problem:
    """A question that the demo model can work out.

    `given` are the numbers that stand in the question, `check` goes the way back from the result to them.
    """

    given: Mapping[str, str]
    facts: tuple[Fact, ...]
    calculations: tuple[Calculation, ...]
    compare: tuple[str, ...]
    answers: Mapping[Language, str]
    short_answers: Mapping[Language, str]
    slip: WrongWay | None
    check: str = ""

    @property
    def expressions(self) -> dict[str, str]:
        """The right way: each calculation's expression by the name of its result."""
        return {calculation.name: calculation.expression for calculation in self.calculations}

    def result(self, values: Words) -> str:
        """The last calculation's result, as it is said."""
        return shown(values.get(self.calculations[-1].name, ""))

    def answer(self, values: Words, language: Language, is_short: bool = False) -> str:
        """The answer in a sentence, or in as few words as will do."""
        told = (self.short_answers if is_short else self.answers)[language]
        filled = fill(told, self.compared({name: shown(value) for name, value in values.items()}, language))
        return filled[:1].upper() + filled[1:]

    def compared(self, values: Words, language: Language) -> dict[str, str]:
        """The values, with those that are compared sorted into higher and lower."""
        facts = [fact for fact in self.facts if fact.name in self.compare and fact.name in values]
        if len(facts) < 2:
            return dict(values)
        lower, higher = sorted(facts, key=lambda fact: float(values[fact.name]))
        return {
            **values,
            "lower": values[lower.name],
            "higher": values[higher.name],
            "lower_name": lower.words[language]["name"],
            "higher_name": higher.words[language]["name"],
        }

    def work_out(
        self, values: Words, expressions: Mapping[str, str], language: Language
    ) -> tuple[list[str], dict[str, str]]:
        """The calculations as lines ("828 - 324 = 504"), and the values with their results."""
        lines = []
        known = self.compared(values, language)
        for name, expression in expressions.items():
            value = in_the_head(fill(expression, known))
            if value is not None:
                lines.append(
                    f"{fill(expression, {key: shown(number) for key, number in known.items()})} = {shown(value)}"
                )
                known[name] = value
        return lines, known

    def worked_out_from(self, text: str, language: Language) -> tuple[list[str], dict[str, str]]:
        """The problem worked out with the facts that the text itself names; memory has the others."""
        named = {fact.name: value for fact in self.facts if (value := fact.value_named_in(text))}
        return self.work_out({**self.remembered(), **named}, self.expressions, language)

    def check_with(self, values: Words) -> str:
        """The check with these values, or "" where none is known."""
        return fill(self.check, {name: shown(value) for name, value in values.items()})

    def remembered(self) -> dict[str, str]:
        """All that is known without looking anything up."""
        return {**self.given, **{fact.name: fact.memory for fact in self.facts}}

    def facts_told(self, values: Words, language: Language) -> list[str]:
        """A sentence for each fact."""
        return [fact.found(values[fact.name], language) for fact in self.facts]


@dataclass(frozen=True)
class _Entry:
    """A problem and the patterns that recognise it."""

    patterns: tuple[re.Pattern[str], ...]
    problem: Problem = field(compare=False)


def find_problem(question: str) -> Problem | None:
    """The word problem that the text asks about, with its numbers.

    >>> problem = find_problem("A hall has 10 rows of 5 seats. 12 seats were sold. How many are left?")
    >>> problem.given if problem else None
    {'rows': '10', 'seats': '5', 'sold': '12'}
    """
    for entry in _entries():
        for pattern in entry.patterns:
            if match := pattern.search(question):
                return replace(entry.problem, given=match.groupdict())
    return None


def expression_problem(question: str) -> Problem | None:
    """The calculation that the text asks about, as a problem."""
    expression = expression_in(question)
    if expression is None:
        return None
    words: dict[Language, Words] = {
        language: {
            "need": say("expression_need", language),
            "found": expression + (" = {value}." if language == "en" else " = {value}。"),
            "step": say("expression_step", language, {"expression": expression}),
            "terse": say("expression_step", language, {"expression": expression}),
        }
        for language in get_args(Language)
    }
    sum_ = Calculation("result", expression, "calculat|work out|comput|计算|算", words)
    if in_the_head(expression) is None:
        told = {
            language: say("cannot_calculate", language, {"expression": expression}) for language in get_args(Language)
        }
        return Problem({}, (), (sum_,), (), told, told, None)
    end: dict[Language, str] = {"en": ".", "zh": "。"}
    answers = {language: f"{expression} = {{result}}{end[language]}" for language in get_args(Language)}
    return Problem({}, (), (sum_,), (), answers, {"en": "{result}", "zh": "{result}"}, None)


@cache
def _entries() -> tuple[_Entry, ...]:
    return tuple(_entry(table) for table in content("problems.toml").values())


def _entry(table: Mapping[str, Any]) -> _Entry:
    patterns = tuple(re.compile(pattern, re.IGNORECASE | re.DOTALL) for pattern in table["questions"])
    facts = tuple(
        Fact(
            name,
            fact["about"],
            fact["unit"],
            fact["memory"],
            {language: fact[language] for language in get_args(Language)},
            {language: tuple(fact[language]["queries"]) for language in get_args(Language)},
        )
        for name, fact in table.get("facts", {}).items()
    )
    calculations = tuple(
        Calculation(
            name, entry["expression"], entry["asks"], {language: entry[language] for language in get_args(Language)}
        )
        for name, entry in table["calculations"].items()
    )
    slip = table.get("slip")
    wrong = WrongWay(slip["expressions"], {"en": slip["en"], "zh": slip["zh"]}) if slip else None
    compare = tuple(table.get("compare", ()))
    problem = Problem({}, facts, calculations, compare, table["answer"], table["short"], wrong, table["check"])
    return _Entry(patterns, problem)
