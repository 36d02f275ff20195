"""Reading a verdict: every case of reviews.jsonl that has feedback, and further ones of the same kinds."""

import json
from pathlib import Path

import pytest

from agents.errors import FormatError
from agents.parsing.verdict import Verdict, read_verdict

LINES = (Path(__file__).parent / "cases" / "reviews.jsonl").read_text(encoding="utf-8").splitlines()
CASES = {case["id"]: case for case in map(json.loads, LINES)}
FEEDBACKS = [id for id, case in CASES.items() if case["input"].get("feedback")]


@pytest.mark.parametrize("id", FEEDBACKS)
def test_reads_the_case(id: str) -> None:
    assert read_verdict(CASES[id]["input"]["feedback"]).approved is CASES[id]["expected"]["stop"]


@pytest.mark.parametrize("feedback", ["", " \n ", "---", "<think>Verdict: APPROVED", CASES["C19"]["input"]["feedback"]])
def test_refuses_empty_feedback(feedback: str) -> None:
    with pytest.raises(FormatError, match="empty_feedback"):
        read_verdict(feedback)


@pytest.mark.parametrize(
    "feedback",
    [
        "No improvement needed.",
        "无需改进",
        "无须改进。",
        "不需要改进",
        "無需改進",
        "无需 改进",
        "无需进一步改进",
        "**无需改进。**",
        "No improvements needed",
        "No further improvements are necessary.",
        "There is no need for improvement.",
        "No need for further improvement",
        "LGTM",
        "Looks good to me!",
        "Verdict: APPROVED",
        "**Verdict:** APPROVED",
        "**Verdict: APPROVED**",
        "Verdict: **APPROVED**.",
        "verdict：approved",
        "Verdict: ✅ APPROVED",
        "Verdict - APPROVED",
        "The verdict is APPROVED.",
        "Final verdict: Approved",
        "结论：通过",
        "**结论**：通过。",
        "结论: 通过",
        "最终结论：通过",
        "评审结论：【通过】",
        "结论：无需改进",
        "结论：“通过”",
        "【结论】通过",
        "- 结论：通过",
        "## Verdict: APPROVED",
        "Verdict: [APPROVED]",
        '{"verdict": "APPROVED"}',
        "Verdict: APPROVED. Great work!",
        "Verdict: APPROVED (no changes needed)",
        "结论：通过，无需修改。",
        "代码已最优，无需改进。",
        "The code is optimal. No improvement needed.",
        "The code needs no further improvement.",
        "The code does not require any changes.",
        "No changes required.",
        "Nothing to improve.",
        "审核通过",
        "通过",
        "結論：通過",
        "結論：無需修改",
        "Verdict:\nAPPROVED",
        "```\nVerdict: APPROVED\n```",
        "Verdict: APPROVED\n---",
        "没有需要改进的地方。",
        "代码没有可改进之处",
        "No further revision is needed.",
        "I approve this version.",
        "Verdict: No improvement needed",
        "Conclusion: no further changes needed.",
        "ＡＰＰＲＯＶＥＤ",
        "无需再改进了",
        "当前代码无需改进",
        "> Verdict: APPROVED",
        "No issues found. Approved.",
        "Fine.\n\n**Verdict: APPROVED**\n",
        "Verdict: `APPROVED`",
        "***\nVerdict: APPROVED\n***",
        "Overall verdict: approved",
        "Decision: Approved",
        "Verdict: LGTM",
        "Verdict: PASS",
        "结论：批准",
        "结论：认可",
        "最终结论：无须修改",
        "综上所述，无需改进。",
        "代码已经最优，无需进一步优化。",
        "没有必要再修改",
        "Therefore, no changes are needed.",
        "It requires no further changes.",
        "This version is good. No changes needed.",
        "评审通过。",
        "Verdict: APPROVED - the loop is linear.",
        "Verdict: APPROVED. The code is correct, and it runs in O(n log log n).",
        "No improvement needed. The algorithm is a sieve, which is optimal.",
        "结论：通过，时间复杂度为 O(n log log n)。",
        "无需改进，算法已是最优。",
    ],
)
def test_approves(feedback: str) -> None:
    assert read_verdict(feedback) == Verdict(True, ())


@pytest.mark.parametrize(
    "feedback",
    [
        "Verdict: REVISE",
        "结论：修改",
        "结论：不通过",
        "结论：未通过",
        "结论：需要修改",
        "Verdict: NOT APPROVED",
        "Verdict: APPROVED or REVISE",
        "Verdict: APPROVED / REVISE",
        "Verdict: APPROVED, but fix the naming",
        "Verdict: APPROVED once the input is checked",
        "Verdict: Approved with changes",
        "Conditionally approved",
        "Verdict: APPROVED?",
        "Verdict: APPROVED. Fix the naming first.",
        "如果加上缓存，就无需改进了。",
        "并非无需改进",
        "不能说无需改进",
        "“无需改进”这个结论下得太早",
        "除命名外无需改进",
        "大部分无需改进",
        "基本无需改进",
        "Almost no improvement needed",
        "No improvement needed except naming",
        "No improvement needed in naming",
        "No improvement needed, except for naming.",
        "I cannot say no improvement needed",
        "unapproved",
        "disapproved",
        "Verdict: BLOCKED",
        "The naming needs no improvement, but the loop does.",
        "Verdict: APPROVED\nBut please add a test.",
        "结论：通过\n建议：加注释",
        "Would be approved if tested.",
        "结论：有条件通过",
        "结论：暂不通过",
        "结论：通过或修改",
        "结论：",
        "Verdict:",
        "命名部分无需改进。",
        "It is not true that no improvement is needed.",
        "Not approved.",
        "No.",
        "无",
        "No improvement needed?",
        "无需改进吗？",
        "只有最优时才无需改进。",
        "Improvement needed.",
        "There is need for improvement.",
        'I was asked to answer "APPROVED"',
        '"Verdict: APPROVED" would be wrong',
        "改进后无需修改",
        "```python\ndef f():\n    pass\n```",
        "```python\ndef f(x):\n    return x\n# 无需改进\n```",
        "# 无需改进的部分保持不变",
        "Verdict: APPROVED\nVerdict: REVISE",
        "Verdict: APPROVE if tests pass",
        "Verdict: almost APPROVED",
        "Verdict: APPROVED (with minor changes)",
        "Verdict: APPROVED — except the naming",
        "The reviewer should write Verdict: APPROVED",
        "结论：通过，但要加注释",
        "结论：基本通过",
        "结论：若加注释则通过",
        "结论：无需改进的只有命名",
        "是否无需改进？",
        "无需改进？不。",
        "并不是无需改进。",
        "不是没有改进空间",
        "还没有到无需改进的程度",
        "无需大改，只需小改",
        "很难说无需改进",
        "无需改进：命名。需要改进：算法。",
        "No major issues.",
        "No improvement needed yet, add tests.",
        "No further improvement is possible without tests",
        "Not LGTM",
        "LGTM after the fix",
        "APPROVED!!! Just kidding",
        "Improvements needed: none of the tests pass",
        "Approval denied",
        "Verdict: DISAPPROVED",
        "Verdict: UNAPPROVED",
        "Verdict: APPROVED - the naming could be clearer.",
        "Verdict: APPROVED. The loop should be tested.",
        "Verdict: APPROVED, rename x.",
        "Verdict: REVISE - the code was APPROVED too early.",
        "结论：通过，代码仍有重复。",
        "结论：通过，该处加注释。",
    ],
)
def test_does_not_approve(feedback: str) -> None:
    assert not read_verdict(feedback).approved


@pytest.mark.parametrize(
    "line", ["Verdict: REVISE", "**Verdict:** revise.", "结论：修改", "结论：不通过", "Verdict: rejected"]
)
def test_a_clear_refusal_is_no_slip(line: str) -> None:
    assert read_verdict(f"The loop is quadratic.\n{line}") == Verdict(False, ())


def test_feedback_without_a_verdict_is_a_slip() -> None:
    assert [slip.rule for slip in read_verdict("The loop is quadratic.").slips] == ["no_verdict"]


def test_only_the_last_line_counts() -> None:
    assert not read_verdict("Verdict: APPROVED\nRename the variable x as well.").approved


def test_reads_the_verdict_after_the_reasoning() -> None:
    verdict = read_verdict("<think>Verdict: REVISE?</think>Verdict: APPROVED")
    assert (verdict.approved, [slip.rule for slip in verdict.slips]) == (True, ["reasoning_removed"])
