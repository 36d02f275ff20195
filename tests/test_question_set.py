"""Question sets: every format is read, and every fault is told with its line."""

import json
from pathlib import Path

import pytest

from agents import wording
from agents.events import Language
from components.question_set import (
    LONGEST_QUESTION,
    MOST_QUESTIONS,
    Question,
    QuestionSetError,
    read_questions,
    unused_columns,
)
from components.texts import LANGUAGES

SHARED = (Path(__file__).parent / "cases" / "questions.jsonl").read_text(encoding="utf-8")
BOTH = [Question("1", "How many?", "56", "en"), Question("2", "为什么，怎么办？", None, "zh")]


def refused(text: str) -> str:
    with pytest.raises(QuestionSetError) as caught:
        read_questions(text)
    return caught.value.describe("en")


def test_the_shared_questions_load_as_they_are() -> None:
    questions = read_questions(SHARED)
    assert len(questions) == 14
    assert questions[0] == Question(
        "w01",
        "面包房上午烤了24个面包，下午烤的数量是上午的一半，晚上比下午多烤8个。这一天一共烤了多少个面包？",
        r"\b56\b|56个|五十六",
        "zh",
    )
    assert unused_columns(SHARED) == []


@pytest.mark.parametrize(
    "text",
    [
        "question,expected\nHow many?,56\n为什么，怎么办？,",
        "Expected , QUESTION\n56, How many?\n,为什么，怎么办？",
        "question;expected\nHow many?;56\n为什么，怎么办？;\n",
        "question\texpected\nHow many?\t56\n为什么，怎么办？\t",
        "问题,答案\nHow many?,56\n为什么，怎么办？,",
        '预期，问题\n56，How many?\n，"为什么，怎么办？"',
        "\ufeffquestion,expected\r\n\r\nHow many?,56\r\n\r\n为什么，怎么办？,\r\n",
        '"question","expected"\n"How many?","56"\n"为什么，怎么办？",""',
        "\n\nquestion,topic,expected\nHow many?,sums,56\n为什么，怎么办？,life\n,,\n",
        "question,answer,expected\nHow many?,fifty,56\n为什么，怎么办？,,",
        '{"question": "How many?", "expected": "56"}\n\n{"question": "为什么，怎么办？"}\n',
        '{"Question": " How many? ", "expected": 56}\r\n{"问题": "为什么，怎么办？", "答案": null}',
        '[{"question": "How many?", "expected": 56}, {"question": "为什么，怎么办？"}]',
        '[\n  {"question": "How many?", "answer": "56"},\n  "为什么，怎么办？"\n]\n',
    ],
)
def test_reads_every_format(text: str) -> None:
    assert read_questions(text) == BOTH


@pytest.mark.parametrize(
    "text",
    [
        "How many, and why?\n\n  Is it; so?\n",
        "question\nHow many, and why?\nIs it; so?",
        '["How many, and why?", "Is it; so?"]',
    ],
)
def test_reads_plain_questions(text: str) -> None:
    assert [question.question for question in read_questions(text)] == ["How many, and why?", "Is it; so?"]


def test_a_quoted_question_may_hold_everything() -> None:
    text = 'question,expected\n"First line, with ""marks""\nand a second; line",1\nSecond,2'
    assert [question.question for question in read_questions(text)] == [
        'First line, with "marks"\nand a second; line',
        "Second",
    ]


@pytest.mark.parametrize("written", ["0.50", "1e3", "12345678901234567890"])
def test_a_number_is_kept_as_it_is_written(written: str) -> None:
    assert read_questions(f'{{"question": "Q", "expected": {written}}}')[0].expected == written


@pytest.mark.parametrize(
    ("written", "language"),
    [("zh", "zh"), ("zh-CN", "zh"), ("中文", "zh"), ("EN", "en"), ("English", "en"), ("", "zh")],
)
def test_the_language_is_that_given_or_guessed(written: str, language: Language) -> None:
    assert read_questions(f"question,language\n为什么,{written}")[0].language == language


def test_names_the_columns_that_are_left_aside() -> None:
    assert unused_columns("id,question,Topic,kind,Mark\n1,Why?,a,b,c") == ["topic", "mark"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "There is no question in this text."),
        ("\ufeff \r\n", "There is no question in this text."),
        ("question,expected\n", "There is no question in this text."),
        ("[]", "There is no question in this text."),
        ("question,expected\na,1\nb,2\n,3", "Line 4: 'question' is missing."),
        ('\n{"question": "a"}\n\n{"expected": "3"}', "Line 4: 'question' is missing."),
        ('[{"question": "a"},\n\n {"question": " "}]', "Line 3: 'question' is missing."),
        (
            "title,expected\na,1",
            "Line 1: this heading has no column named 'question'. It has: title, expected.",
        ),
        (
            'question,expected\n"two\nlines",1\nRed, or blue?,2',
            "Line 4: there are 3 values, but the heading has 2. "
            "Put a text that holds a separator into quotation marks.",
        ),
        (
            'question,expected\na,1\n"b,2\nc,3',
            "Line 3: the quotation marks do not match. "
            "Put the whole text into quotation marks and double those inside it.",
        ),
        ('{"question": "a"}\nb', "Line 2: this is not valid JSON."),
        ('[{"question": "a"},\n{"question": }]', "Line 2: this is not valid JSON."),
        ("[" * 100_000, "Line 1: this is not valid JSON."),
        ('["a",\ntrue]', "Line 2: a JSON object with a 'question' was expected here."),
        ('["a",\n[]]', "Line 2: a JSON object with a 'question' was expected here."),
        ('{"question": ["a"]}', "Line 1: 'question' has to be a text or a number."),
        ('{"question": "a", "expected": true}', "Line 1: 'expected' has to be a text or a number."),
        (
            '{"question": "\\ud83d"}',
            "Line 1: 'question' holds half a character (an escape such as \\ud83d without its second part).",
        ),
        (
            "a\n" + "b" * (LONGEST_QUESTION + 1),
            "Line 2: the question has 4,001 characters, but at most 4,000 are allowed.",
        ),
        ("question,language\na,fr", "Line 2: the language 'fr' is not known. Write en or zh, or leave it out."),
        ("id,question\nx,a\ny,b\nx,c", "Line 4: the id 'x' is already taken by line 2."),
        (
            "question,expected\na,/(/",
            "Line 2: The expected answer '(' is not a valid pattern: missing ), unterminated subpattern at position 0. "
            "Correct it, or leave out the signs of a pattern (\\ | .* /…/).",
        ),
        ("a\n" * (MOST_QUESTIONS + 1), "Line 201: there are more than 200 questions. At most 200 can be run at once."),
        ("a" * 2_000_001, "This text has 2,000,001 characters, but at most 2,000,000 are read."),
    ],
)
def test_a_fault_is_told_with_its_line(text: str, sentence: str) -> None:
    assert refused(text) == sentence


def test_as_many_and_as_long_as_allowed() -> None:
    assert len(read_questions("\n".join(["b" * LONGEST_QUESTION] * MOST_QUESTIONS))) == MOST_QUESTIONS


def test_an_expected_answer_is_complained_about_in_chinese() -> None:
    with pytest.raises(QuestionSetError) as caught:
        read_questions("问题,答案\na,/(/")
    assert caught.value.describe("zh").startswith("第 2 行：预期答案“(”不是有效的正则表达式")


@pytest.mark.parametrize("reason", wording.load("components.texts", "question_set"))
def test_every_sentence_is_there_in_both_languages(reason: str) -> None:
    assert set(wording.load("components.texts", "question_set")[reason]) == set(LANGUAGES)


def test_what_the_app_writes_it_reads() -> None:
    lines = [{"id": str(number), "question": f"Q{number}\nmore", "expected": "1"} for number in range(3)]
    assert len(read_questions("\n".join(json.dumps(line) for line in lines))) == 3
