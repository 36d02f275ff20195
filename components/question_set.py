"""Reads a question set that somebody uploaded or pasted: CSV, JSON lines, a JSON list, or one question a line.

The names of columns and fields may be English or Chinese, in any order and in capitals or not. Columns that are not
known (a topic, a mark) are left aside, and `unused_columns` names them. A fault is never skipped: the whole set is
refused with a sentence that names the line.
"""

from dataclasses import dataclass

from agents.events import Language
from agents.expected import ExpectedError, check_expected
from agents.tools.query_language import language_of
from components.question_records import NAMES, QuestionSetError, Record, fault, read_records

__all__ = ["LONGEST_QUESTION", "MOST_QUESTIONS", "Question", "QuestionSetError", "read_questions", "unused_columns"]

MOST_QUESTIONS = 200
LONGEST_QUESTION = 4_000  # characters

_LANGUAGES: dict[str, Language] = {
    **dict.fromkeys(("en", "english", "英文", "英语"), "en"),
    **dict.fromkeys(("zh", "cn", "chinese", "中文", "汉语"), "zh"),
}


@dataclass(frozen=True)
class Question:
    """A question of the set. `id` is unique in it; `expected` is what `agents.expected` marks with, or None."""

    id: str
    question: str
    expected: str | None
    language: Language


def read_questions(text: str) -> list[Question]:
    """The questions in order. Raises QuestionSetError where the text is not wholly understood, or holds none.

    Where an id is not given it is the question's number; where a language is not given it is guessed.

    >>> for question in read_questions("Expected;Question\\n56;How many?\\n;为什么？"):
    ...     print(question)
    Question(id='1', question='How many?', expected='56', language='en')
    Question(id='2', question='为什么？', expected=None, language='zh')
    """
    questions: list[Question] = []
    lines_of_ids: dict[str, int] = {}
    for number, record in enumerate(read_records(text), 1):
        if number > MOST_QUESTIONS:
            raise fault("too_many", record.line, {"most": str(MOST_QUESTIONS)})
        question = _question(record, number)
        if question.id in lines_of_ids:
            values = {"found": question.id, "first": str(lines_of_ids[question.id])}
            raise fault("repeated_id", record.line, values)
        lines_of_ids[question.id] = record.line
        questions.append(question)
    if not questions:
        raise QuestionSetError("empty")
    return questions


def unused_columns(text: str) -> list[str]:
    """The names of columns and fields that are left aside, in order. Raises QuestionSetError.

    >>> unused_columns("question,topic,kind\\nWhy?,physics,open")
    ['topic']
    """
    known = {name for names in NAMES.values() for name in names}
    return list(dict.fromkeys(name for record in read_records(text) for name in record.fields if name not in known))


def _question(record: Record, number: int) -> Question:
    question = record.text("question")
    if not question:
        raise fault("missing", record.line)
    if len(question) > LONGEST_QUESTION:
        values = {"found": f"{len(question):,}", "most": f"{LONGEST_QUESTION:,}"}
        raise fault("too_long", record.line, values)
    expected = record.text("expected") or None
    if expected:
        try:
            check_expected(expected)
        except ExpectedError as error:
            raise QuestionSetError("expected", {"line": str(record.line)}, error) from error
    return Question(record.text("id") or str(number), question, expected, _language(record, question))


def _language(record: Record, question: str) -> Language:
    written = record.text("language")
    if not written:
        return language_of(question)
    name = written.casefold().replace("_", "-").split("-")[0]
    if name not in _LANGUAGES:
        raise fault("language", record.line, {"found": written})
    return _LANGUAGES[name]
