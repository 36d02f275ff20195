"""Reading a plan: every case of plans.jsonl that concerns it, and further ones of the same kinds."""

import json
from pathlib import Path
from typing import Any

import pytest

from agents.errors import FormatError
from agents.parsing.plan import read_plan
from agents.parsing.plan_steps import ReadPlan
from agents.prompts.fill import fill

LINES = (Path(__file__).parent / "cases" / "plans.jsonl").read_text(encoding="utf-8").splitlines()
CASES = {case["id"]: case for case in map(json.loads, LINES)}
REPLIES = [id for id, case in CASES.items() if isinstance(case["input"], str)]
WARNINGS = {"plan_truncated": "plan_capped", "truncated": "truncated"}  # the case file's words, and ours


def outcome(text: str) -> dict[str, Any]:
    """The plan in the words of the case file, or its error."""
    try:
        plan = read_plan(text)
    except FormatError as error:
        return {"error": error.rule}
    return {"plan": list(plan.steps), "plan_len": len(plan.steps)}


def fault(text: str) -> str:
    with pytest.raises(FormatError) as caught:
        read_plan(text)
    return caught.value.rule


def rules(plan: ReadPlan) -> list[str]:
    return [slip.rule for slip in plan.slips]


@pytest.mark.parametrize("id", REPLIES)
def test_reads_the_case(id: str) -> None:
    expected = {key: CASES[id]["expected"].get(key) for key in ("plan", "plan_len", "error")}
    wanted = {key: value for key, value in expected.items() if value is not None}
    found = outcome(CASES[id]["input"])
    assert {key: found[key] for key in wanted} == wanted


@pytest.mark.parametrize("id", [id for id in REPLIES if "warning" in CASES[id]["expected"]])
def test_warns_as_the_case_says(id: str) -> None:
    assert WARNINGS[CASES[id]["expected"]["warning"]] in rules(read_plan(CASES[id]["input"]))


def test_braces_in_a_step_survive_a_prompt() -> None:
    step = read_plan(CASES["B35"]["input"]).steps[0]
    assert fill("Do this: {step}", {"step": step}) == "Do this: Print {total} to the log"


@pytest.mark.parametrize(
    "text",
    [
        '["Find A", "Compare"]',
        "['Find A', 'Compare']",
        '[ "Find A", "Compare", ]',
        'Here is the plan: ["Find A", "Compare"]. Good luck!',
        'Plan:\n\n["Find A", "Compare"]',
        '**Plan:** `["Find A", "Compare"]`',
        'steps: list[str] = ["Find A", "Compare"]',
        '("Find A", "Compare")',
        '```py\nplan = ("Find A", "Compare")\n```',
        '```python3\n["Find A", "Compare"]```',
        '```["Find A", "Compare"]```',
        '~~~json\n["Find A", "Compare"]\n~~~',
        '  ```python\n  ["Find A", "Compare"]\n  ```',
        '```python\nrow = data["key"]\nplan = ["Find A", "Compare"]\n```',
        '```python\nplan = []\nplan = ["Find A", "Compare"]\n```',
        '```python\nplan = [\n    "Find A",\n    "Compare",\n]\n```\n```bash\nls\n```',
        '[\n  "Find A",  // first\n  "Compare"\n]',
        "[\"\"\"Find A\"\"\", '''Compare''']",
        '[u"Find A", r"Compare"]',
        '["Find\\u0020A", "Compare"]',
        'See [1] and [2].\n["Find A", "Compare"]',
    ],
)
def test_reads_a_list_wherever_it_stands(text: str) -> None:
    assert read_plan(text) == ReadPlan(("Find A", "Compare"), ())


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("[“Find A”, “Compare”]", "mended_list"),
        ("['Find A'， 'Compare']", "mended_list"),
        ('【"Find A"、"Compare"】', "mended_list"),
        ('["Find A";"Compare"]', "mended_list"),
        ('["Find A",, "Compare"]', "mended_list"),
        ('["Find A"\n"Compare"]', "mended_list"),
        ('["Find A" "Compare"]', "mended_list"),
        ('"Find A",\n"Compare"', "mended_list"),
        ("[Find A, Compare]", "mended_list"),
        ("```\n[Find A, Compare]\n```", "mended_list"),
        ("['Find\nA', 'Compare']", "mended_list"),
        ("[`Find A`, `Compare`]", "mended_list"),
        ("['''Find A''', ''Compare'']", "mended_list"),
        ('{"steps": ["Find A", "Compare"]}', "unwrapped"),
        ('{"计划": ["Find A", "Compare"]}', "unwrapped"),
        ('{"goal": "x", "list": ["Find A", "Compare"]}', "unwrapped"),
        ('{"plan": {"steps": ["Find A", "Compare"]}}', "unwrapped"),
        ('{"response": {"plan": ["Find A", "Compare"]}}', "unwrapped"),
        ('{"step1": "Find A", "step2": "Compare"}', "unwrapped"),
        ('{"1": "Find A", "2": "Compare"}', "unwrapped"),
        ('{"plan": "1. Find A\\n2. Compare"}', "unwrapped"),
        ("{plan: ['Find A', 'Compare']}", "unwrapped"),
        ('[{"id": 1, "description": "Find A"}, {"id": 2, "description": "Compare"}]', "steps_as_objects"),
        ('[{"步骤": 1, "任务": "Find A"}, {"步骤": 2, "任务": "Compare"}]', "steps_as_objects"),
        ('[{"Step": "Find A", "done": false}, {"Step": "Compare", "done": null}]', "steps_as_objects"),
        ('[{"what": "Find A"}, "Compare"]', "steps_as_objects"),
        ('[["Find A"], [["Compare"]]]', "nested_list"),
        ('[None, "Find A", 3, "Compare", true]', "dropped_items"),
        ('["Find A", "Compare", "..."]', "dropped_items"),
        ('["Find A", "Compare", …]', "dropped_items"),
        ('["Step 1: Find A", "Step 2: Compare"]', "numbering_removed"),
        ('["1. Find A", "2. Compare"]', "numbering_removed"),
        ('["步骤1：Find A", "步骤2：Compare"]', "numbering_removed"),
        ('["Find A", "Compare", "Rep', "truncated"),
        ('["Find A", "Compare"', "truncated"),
        ('["Find A", "Compare",', "truncated"),
        ('```json\n{"plan": ["Find A", "Compare", "Re', "truncated"),
        ('[{"task": "Find A"}, {"task": "Compare"}, {"task": "Re', "truncated"),
        ('<think>["x", "y"]</think>["Find A", "Compare"]', "reasoning_removed"),
        ("1. Find A\n2. Compare", "listed_in_lines"),
        ("1.Find A\n2.Compare", "listed_in_lines"),
        ("1) Find A\n2) Compare", "listed_in_lines"),
        ("(1) Find A\n(2) Compare", "listed_in_lines"),
        ("（1）Find A\n（2）Compare", "listed_in_lines"),
        ("1、Find A\n2、Compare", "listed_in_lines"),
        ("１．Find A\n２．Compare", "listed_in_lines"),
        ("一、Find A\n二、Compare", "listed_in_lines"),
        ("① Find A\n② Compare", "listed_in_lines"),
        ("a) Find A\nb) Compare", "listed_in_lines"),
        ("Step 1: Find A\nStep 2: Compare", "listed_in_lines"),
        ("Step 1 - Find A\nStep 2 - Compare", "listed_in_lines"),
        ("Step one: Find A\nStep two: Compare", "listed_in_lines"),
        ("**Step 1:** Find A\n**Step 2:** Compare", "listed_in_lines"),
        ("**Step 1**\nFind A\n\n**Step 2**\nCompare", "listed_in_lines"),
        ("### Step 1: Find A\n\n### Step 2: Compare", "listed_in_lines"),
        ("- Step 1: Find A\n- Step 2: Compare", "listed_in_lines"),
        ("步骤1：Find A\n步骤2：Compare", "listed_in_lines"),
        ("第一步：Find A\n第二步：Compare", "listed_in_lines"),
        ("第1步，Find A\n第2步，Compare", "listed_in_lines"),
        ("**1. Find A**\n**2. Compare**", "listed_in_lines"),
        ("1. **Find A**\n2. **Compare**", "listed_in_lines"),
        ('1. "Find A",\n2. "Compare"', "listed_in_lines"),
        ("1. Find A\n\n2. Compare\n\nI hope this helps!", "listed_in_lines"),
        ("As [1] shows:\n1. Find A\n2. Compare", "listed_in_lines"),
        ("- Find A\n- Compare", "listed_in_lines"),
        ("* Find A\n* Compare", "listed_in_lines"),
        ("• Find A\n• Compare", "listed_in_lines"),
        ("- [ ] Find A\n- [x] Compare", "listed_in_lines"),
        ("```\n1. Find A\n2. Compare\n```", "listed_in_lines"),
        ("<plan>\n<step>Find A</step>\n<step>Compare</step>\n</plan>", "listed_in_lines"),
    ],
)
def test_mends_the_plan_and_says_so(text: str, rule: str) -> None:
    plan = read_plan(text)
    assert plan.steps == ("Find A", "Compare")
    assert rule in rules(plan)


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("['It's A', 'B's, and C']", ("It's A", "B's, and C")),
        ("['Show data['k'] now', 'Compare']", ("Show data['k'] now", "Compare")),
        ('["He said "hi" to me", "x"]', ('He said "hi" to me', "x")),
        ('["Compare (the "big") one"]', ('Compare (the "big") one',)),
        ('["Just [1] it", "b \\"q\\" c"]', ("Just [1] it", 'b "q" c')),
        ('["Find A, then B; then C", "Compare"]', ("Find A, then B; then C", "Compare")),
        ('["See # 3", "Open http://a.example"]', ("See # 3", "Open http://a.example")),
        ('["查找“甲”，然后“乙”", "比较"]', ("查找“甲”，然后“乙”", "比较")),
        ('["2024. A year", "Compare"]', ("2024. A year", "Compare")),
        ("1. Find A 2.5 km away\n2. Compare", ("Find A 2.5 km away", "Compare")),
        ("1. **Find A**: search\n   - in the archive\n2. Compare", ("Find A: search - in the archive", "Compare")),
        ("1. Find A\n- in the archive\n2. Compare", ("Find A - in the archive", "Compare")),
        ("1. Find A\nand B\n2. Compare\nThat is all.", ("Find A and B", "Compare")),
        ('1. Use ["a", "b"]\n2. Compare', ('Use ["a", "b"]', "Compare")),
        ("1. Just answer", ("Just answer",)),
        ("- Just answer", ("Just answer",)),
    ],
)
def test_keeps_the_text_of_steps(text: str, steps: tuple[str, ...]) -> None:
    assert read_plan(text).steps == steps


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("", "no_plan"),
        ("I cannot plan this.", "no_plan"),
        ("First find A. Then compare.", "no_plan"),
        ("As [1] shows, see [the note].", "no_plan"),
        ('["Find A and', "no_plan"),
        ('<think>["Find A"]', "reasoning_only"),
        ('{"plan": "42"}', "not_a_list"),
        ('{"steps": null}', "not_a_list"),
        ('{"answer": 42}', "not_a_list"),
        ("[true, null]", "no_text_steps"),
        ("```json\n[1.5, [2]]\n```", "no_text_steps"),
        ('{"plan": []}', "empty_plan"),
        ('["", " "]', "empty_plan"),
        ("[...]", "empty_plan"),
        ('["step 1", "step 2", "..."]', "template_echo"),
        ('["Step one", "Step two"]', "template_echo"),
        ('["first step", "second step"]', "template_echo"),
        ('["<step 1>", "<step 2>"]', "template_echo"),
        ('["第一步", "第二步"]', "template_echo"),
        ('["步骤一", "步骤二", ...]', "template_echo"),
        ('["子任务1", "子任务2"]', "template_echo"),
        ("1. Step 1\n2. Step 2", "template_echo"),
        ('```python\n["a" for i in range(3)]\n```', "not_a_literal"),
        ('["Find A", x]', "not_a_literal"),
        ("[x for x in y]", "not_a_literal"),
        ('["Find A", __import__("os")]', "not_a_literal"),
        ('["Find A", open("f").read()]', "not_a_literal"),
    ],
)
def test_names_what_is_wrong(text: str, rule: str) -> None:
    assert fault(text) == rule


def test_takes_no_more_steps_than_allowed_and_says_which_were_dropped() -> None:
    plan = read_plan('["a", "b", "c", "d"]', most=2)
    assert (plan.steps, plan.slips[-1].rule, plan.slips[-1].cut) == (("a", "b"), "plan_capped", "c\nd")


def test_says_which_items_were_dropped() -> None:
    assert read_plan('["Find A", 3, null]').slips[0].cut == "3\nNone"


def test_says_which_half_step_was_dropped() -> None:
    assert read_plan('["Find A", "Com').slips[0].cut == "Com"


@pytest.mark.parametrize("text", ["[" * 3000, '["' * 3000, "{" * 3000, '["a", ' * 500, "1. " * 3000, "\n" * 3000 + "["])
def test_ends_on_any_input(text: str) -> None:
    assert set(outcome(text)) <= {"plan", "plan_len", "error"}
