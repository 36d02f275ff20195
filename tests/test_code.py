"""Taking the code out of a reply and comparing versions: the cases of reviews.jsonl on code, and further ones."""

import json
from pathlib import Path

import pytest

from agents.parsing.code import ReadCode, fingerprint, read_code, same_work

LINES = (Path(__file__).parent / "cases" / "reviews.jsonl").read_text(encoding="utf-8").splitlines()
CASES = {case["id"]: case for case in map(json.loads, LINES)}
REPLIES = [id for id, case in CASES.items() if "reply" in case["input"]]
WARNINGS = {"truncated": "truncated", "no_code_in_reply": "no_code"}  # the case file's words, and ours
OLD = "def f(x):\n    return x"


def rules(found: ReadCode) -> list[str]:
    return [slip.rule for slip in found.slips]


@pytest.mark.parametrize("id", REPLIES)
def test_reads_the_case(id: str) -> None:
    case = CASES[id]
    assert read_code(case["input"]["reply"], case["input"].get("previous", "")).code == case["expected"]["code"]


@pytest.mark.parametrize("id", [id for id in REPLIES if "warning" in CASES[id]["expected"]])
def test_warns_as_the_case_says(id: str) -> None:
    case = CASES[id]
    found = read_code(case["input"]["reply"], case["input"].get("previous", ""))
    assert WARNINGS[case["expected"]["warning"]] in rules(found)


@pytest.mark.parametrize(
    "reply",
    [
        "def f(x):\n    return x",
        "\n\ndef f(x):\n    return x\n",
        "```\ndef f(x):\n    return x\n```",
        "```Python3\ndef f(x):\n    return x\n```\n",
        "~~~py\ndef f(x):\n    return x\n~~~",
        "````python\ndef f(x):\n    return x\n````",
        '```python title="f.py"\ndef f(x):\n    return x\n```',
        "```python\ndef f(x):\n    return x```",
        "  ```python\n  def f(x):\n      return x\n  ```",
        "```python\r\ndef f(x):\n    return x\r\n```",
    ],
)
def test_takes_the_code_as_it_is(reply: str) -> None:
    assert read_code(reply) == ReadCode(OLD, ())


@pytest.mark.parametrize(
    "reply",
    [
        "Here it is:\n\ndef f(x):\n    return x\n\nIt is O(1).",
        "修改如下：\n```python\ndef f(x):\n    return x\n```\n复杂度不变。",
        "1. Rename:\n   ```python\n   def f(x):\n       return x\n   ```",
        "```bash\npip install x\n```\n```python\ndef f(x):\n    return x\n```",
        "```python\ndef f(x):\n    return x\n```\nUsage:\n```python\nf(1)\n```",
        "```python\ndef f(x):\n    return x\n```\nOutput:\n```text\n1\n```",
    ],
)
def test_cuts_what_is_around_the_code(reply: str) -> None:
    found = read_code(reply)
    assert (found.code, rules(found)) == (OLD, ["prose_removed"])


def test_says_which_prose_was_cut() -> None:
    assert read_code("Sure:\n```\nx = 1\n```\nDone.").slips[0].cut == "Sure:\nDone."


def test_takes_the_block_that_defines_what_the_version_before_defined() -> None:
    reply = f"```python\n{OLD} + 1\n```\nA test:\n```python\ndef test_f():\n    assert f(1) == 2\n```"
    assert read_code(reply, previous=OLD).code == f"{OLD} + 1"


def test_prefers_a_complete_block_to_one_that_is_cut_off() -> None:
    assert read_code(f"```python\n{OLD}\n```\n```python\ndef f(x:\n    ret").code == OLD


@pytest.mark.parametrize(
    "reply",
    ["It is fine.", "无需修改。", "", "```python\n```", "LGTM", "I would rename x = y in it.", "- fine\n- good"],
)
def test_keeps_the_version_before_where_there_is_no_code(reply: str) -> None:
    found = read_code(reply, previous=OLD)
    assert (found.code, rules(found)) == (OLD, ["no_code"])


def test_prose_without_a_version_before_stays() -> None:
    assert rules(read_code("Towers are tall.")) == ["no_code"]
    assert read_code("Towers are tall.").code == "Towers are tall."


def test_a_revision_of_prose_replaces_it() -> None:
    assert read_code("Towers are very tall.", previous="Towers are tall.") == ReadCode("Towers are very tall.")


def test_reasoning_is_no_code() -> None:
    found = read_code("<think>```python\nold\n```</think>```python\nx = 1\n```")
    assert (found.code, rules(found)) == ("x = 1", ["reasoning_removed"])


@pytest.mark.parametrize(
    "code", ["SELECT * FROM t;", "function f(x) {\n  return x;\n}", "#include <stdio.h>\nint x;", "x = 1", "import os"]
)
def test_other_code_without_a_fence_stays(code: str) -> None:
    assert read_code(code).code == code


@pytest.mark.parametrize(
    ("one", "other"),
    [
        tuple(CASES["C21"]["input"]["codes"]),
        ("x = 1", "x  =  1"),
        ("x = 1\n\n\ny = 2", "x = 1\ny = 2\n"),
        ("x = 1  # one", "# first\nx = 1"),
        ("def f():\n  return 1", "def f():\n    return 1"),
        ("f(1,\n  2)", "f(1, 2)"),
        ("Hello  world\n", "Hello world"),
        ("", " \n"),
        ("let x = 1;\n", "let x  = 1;"),
    ],
)
def test_is_the_same_work(one: str, other: str) -> None:
    assert same_work(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A1", "B1"),
        ("if a:\n    b()\n    c()", "if a:\n    b()\nc()"),
        ("x = '#a'", "x = '#b'"),
        ("x = 'a  b'", "x = 'a b'"),
        ('"""a"""\nx = 1', '"""b"""\nx = 1'),
        ("# Title", "# Other"),
        ("hello", "Hello"),
        ("Costs # 3", "Costs # 4"),
        ("x = 1", "x = 2"),
    ],
)
def test_is_other_work(one: str, other: str) -> None:
    assert not same_work(one, other)


def test_versions_that_alternate_have_two_fingerprints() -> None:
    assert len(set(map(fingerprint, CASES["C22"]["input"]["codes"]))) == 2
