"""Finds the questions in an uploaded or pasted text, whatever its format: CSV, JSON lines, a JSON list, or lines.

It knows formats, lines and names of fields, not what a good question is: that is `question_set`.
"""

import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from agents import wording
from agents.events import Language
from agents.expected import ExpectedError
from agents.prompts import fill, plain_newlines

LONGEST_TEXT = 2_000_000  # characters

# The names of each field; where a file has several of them, the first in this order counts.
NAMES = {
    "question": ("question", "questions", "问题", "题目", "提问"),
    "expected": ("expected", "expected answer", "expected_answer", "预期", "预期答案", "标准答案", "答案", "answer"),
    "id": ("id", "编号", "序号"),
    "language": ("language", "lang", "语言"),
    "kind": ("kind", "类型"),
}

# Full-width commas are what a Chinese keyboard types.
_DELIMITERS = (",", ";", "\t", "，", "；")
_NO_DELIMITER = "\x1f"
_NUMBERS_AS_WRITTEN = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)
_BETWEEN_ITEMS = re.compile(r"[\s,]*")


@dataclass
class QuestionSetError(Exception):
    """A set that is refused. `reason` is an entry of `question_set.toml`, `values` what to fill it with.

    `cause` says what is wrong with an expected answer.
    """

    reason: str
    values: Mapping[str, str] = field(default_factory=dict)
    cause: ExpectedError | None = None

    def describe(self, language: Language) -> str:
        """What is wrong and in which line, in a sentence."""
        sentence = wording.load("components.texts", "question_set")[self.reason][language]
        problem = {"problem": self.cause.describe(language)} if self.cause else {}
        return fill(sentence, {**self.values, **problem})

    def __str__(self) -> str:
        return self.describe("en")


def fault(reason: str, line: int, values: Mapping[str, str] | None = None) -> QuestionSetError:
    """The error for a fault in a line."""
    return QuestionSetError(reason, {"line": str(line), **(values or {})})


@dataclass(frozen=True)
class Record:
    """One question as it stands in the text: its line, counted from 1, and its fields under the names written there."""

    line: int
    fields: Mapping[str, object]

    def text(self, name: str) -> str:
        """The field's text without space around it, "" where there is none. Raises QuestionSetError."""
        value = next((self.fields[own] for own in NAMES[name] if self.fields.get(own) is not None), "")
        if not isinstance(value, str):
            raise fault("not_text", self.line, {"name": name})
        if any("\ud800" <= character <= "\udfff" for character in value):
            raise fault("half_character", self.line, {"name": name})  # it cannot be sent to a model
        return value.strip()


def read_records(text: str) -> Iterator[Record]:
    """The text's questions in order. Raises QuestionSetError where its format is broken.

    >>> list(read_records('{"Question": "Why?", "expected": 0.50}'))
    [Record(line=1, fields={'question': 'Why?', 'expected': '0.50'})]
    """
    if len(text) > LONGEST_TEXT:
        raise QuestionSetError("too_large", {"found": f"{len(text):,}", "most": f"{LONGEST_TEXT:,}"})
    text = plain_newlines(text.removeprefix("\ufeff"))
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if not lines:
        return
    first_line, first = lines[0]
    if first.lstrip().startswith("["):
        yield from _json_list(text)
    elif first.lstrip().startswith("{"):
        yield from (_from_json(_json(line, number), number) for number, line in lines)
    elif delimiter := _delimiter(first, first_line):
        yield from _table(text.split("\n")[first_line - 1 :], first_line, delimiter)
    else:
        yield from (Record(number, {"question": line}) for number, line in lines)


def _delimiter(heading: str, line: int) -> str:
    """What separates the columns of a table; "" where the line is no heading but a question."""
    headings = {delimiter: _columns(heading, delimiter) for delimiter in _DELIMITERS}
    for delimiter, columns in headings.items():
        if set(columns) & set(NAMES["question"]):
            return delimiter if len(columns) > 1 else _NO_DELIMITER  # in a single column, commas need no marks
    for columns in headings.values():
        if len(columns) > 1 and set(columns) & {*NAMES["expected"], *NAMES["id"]}:
            raise fault("no_question_column", line, {"found": ", ".join(columns)})
    return ""


def _columns(heading: str, delimiter: str) -> list[str]:
    return [_name(column) for column in next(csv.reader([heading], delimiter=delimiter))]


def _name(written: str) -> str:
    return " ".join(written.casefold().split())


def _table(lines: Iterable[str], first_line: int, delimiter: str) -> Iterator[Record]:
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter, skipinitialspace=True, strict=True)
    columns: list[str] = []
    line = first_line
    try:
        for values in reader:
            if not columns:
                columns = [_name(column) for column in values]
            elif any(value.strip() for value in values[len(columns) :]):
                raise fault("too_many_values", line, {"found": str(len(values)), "known": str(len(columns))})
            elif any(value.strip() for value in values):
                yield Record(line, dict(zip(columns, values, strict=False)))
            line = first_line + reader.line_num  # a value in quotation marks may go over several lines
    except csv.Error as error:
        raise fault("quotation_marks", line) from error


def _json_list(text: str) -> Iterator[Record]:
    items = _json(text, 1)
    if not isinstance(items, list):
        raise fault("not_json", 1)
    position = text.index("[") + 1
    for item in items:  # decoded once more, one by one, to know their lines
        between = _BETWEEN_ITEMS.match(text, position)
        position = between.end() if between else position
        line = text.count("\n", 0, position) + 1
        yield Record(line, {"question": item}) if isinstance(item, str) else _from_json(item, line)
        position = _NUMBERS_AS_WRITTEN.raw_decode(text, position)[1]


def _from_json(item: object, line: int) -> Record:
    if not isinstance(item, dict):
        raise fault("not_an_object", line)
    return Record(line, {_name(name): value for name, value in item.items()})


def _json(text: str, line: int) -> object:
    try:
        decoded: object = _NUMBERS_AS_WRITTEN.decode(text)
    except json.JSONDecodeError as error:
        raise fault("not_json", line + error.lineno - 1) from error
    except RecursionError as error:
        raise fault("not_json", line) from error
    return decoded
