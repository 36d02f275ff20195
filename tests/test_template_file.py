"""A set of templates as a file: written, read back, and refused with a reason."""

import json
from typing import Any

import pytest

from agents import wording
from components.template_file import (
    LONGEST_TEMPLATE,
    TemplateFileError,
    TemplateSet,
    read_template_set,
    write_template_set,
)

GOOD: dict[str, Any] = {
    "version": 1,
    "agent": "react",
    "language": "en",
    "templates": {"react": "{question} {tools}"},
}


def as_file(**changes: object) -> bytes:
    return json.dumps(GOOD | changes).encode()


def reason(data: bytes) -> str:
    with pytest.raises(TemplateFileError) as caught:
        read_template_set(data)
    return caught.value.reason


def test_reads_back_what_was_written() -> None:
    templates = TemplateSet("reflection", "zh", {"writer": "任务：{question}\n\t“好”", "reviewer": ""})
    assert read_template_set(write_template_set(templates).encode()) == templates


def test_the_file_can_be_read_by_people() -> None:
    assert "任务" in write_template_set(TemplateSet("direct", "zh", {"answer": "任务"}))


def test_line_ends_become_plain_newlines() -> None:
    assert read_template_set(as_file(templates={"react": "a\r\nb\rc"})).templates == {"react": "a\nb\nc"}


def test_a_byte_order_mark_is_no_fault() -> None:
    assert read_template_set(b"\xef\xbb\xbf" + as_file()).agent == "react"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "not_json"),
        (b"[]", "not_json"),
        (b"react", "not_json"),
        (b"[" * 100_000, "not_json"),
        ("任务".encode("gbk"), "not_utf8"),
        (b"{}", "missing_field"),
        (as_file(author="me"), "unknown_field"),
        (b'{"version": 1, "version": 1}', "repeated_field"),
        (as_file(version=2), "version"),
        (as_file(agent="boss"), "agent"),
        (as_file(agent=["react"]), "agent"),
        (as_file(language="fr"), "language"),
        (as_file(language=None), "language"),
        (as_file(templates={}), "no_templates"),
        (as_file(templates=["react"]), "no_templates"),
        (as_file(templates={"reviewer": "x"}), "role"),
        (as_file(templates={"react": 1}), "not_text"),
        (as_file(templates={"react": "x" * (LONGEST_TEMPLATE + 1)}), "too_long"),
        (as_file(templates={"react": "\ud800"}), "half_character"),
    ],
)
def test_what_is_not_understood_is_refused(data: bytes, expected: str) -> None:
    assert reason(data) == expected
    assert {"en", "zh"} <= wording.load("components.texts", "prompt_editor")[f"file_{expected}"].keys()


def test_the_refusal_names_what_is_not_known() -> None:
    with pytest.raises(TemplateFileError) as caught:
        read_template_set(as_file(templates={"react": "x", "boss": "y"}))
    assert caught.value.values["found"] == "boss"
