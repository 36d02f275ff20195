"""Reading a ReAct reply: every case of react_replies.jsonl, and further ones of the same kinds."""

import json
from pathlib import Path
from typing import Any

import pytest

from agents.events import ToolCall
from agents.parsing.react_reply import ReactReply, read_reply

TOOLS = ("Search", "Calculator")
LINES = (Path(__file__).parent / "cases" / "react_replies.jsonl").read_text(encoding="utf-8").splitlines()
CASES = {case["id"]: case for case in map(json.loads, LINES)}
REPLIES = [id for id, case in CASES.items() if isinstance(case["input"], str)]


def read(text: str) -> ReactReply:
    return read_reply(text, TOOLS)


def rules(reply: ReactReply) -> set[str]:
    return {slip.rule for slip in reply.slips}


def described(reply: ReactReply) -> dict[str, Any]:
    """The reply in the words of the case file."""
    return {
        "kind": reply.kind,
        "tool": reply.tool,
        "input": reply.input,
        "answer": reply.input,
        "thought": reply.thought,
        "reason": reply.fault,
        "text": reply.kept,
        "truncated": reply.truncated,
        "discarded": bool(rules(reply) & {"after_action", "invented_observation"}),
    }


@pytest.mark.parametrize("id", REPLIES)
def test_reads_the_case(id: str) -> None:
    case = CASES[id]
    reply = described(read_reply(case["input"], case.get("tools", TOOLS)))
    assert {key: reply[key] for key in case["expected"]} == case["expected"]


@pytest.mark.parametrize("id", REPLIES)
def test_keeps_only_what_the_model_wrote(id: str) -> None:
    assert read(CASES[id]["input"]).kept in CASES[id]["input"]


@pytest.mark.parametrize(
    "text",
    [
        "Action: Search[abc]",
        "ACTION : Search[abc]",
        " action:Search[abc]",
        "Action 1: Search[abc]",
        "**Action 2:** Search[abc]",
        "**Action** 2: Search[abc]",
        "__Action__: Search[abc]",
        "### Action\nSearch[abc]",
        "### Action:\n\nSearch[abc]",
        "- **Action**: Search[abc]",
        "2. Action: Search[abc]",
        "* Action: Search[abc]",
        "行动：Search[abc]",
        "行动 1：Search[abc]",
        "動作：Search[abc]",
        "**行动**：Search[abc]",
        "【行动】Search[abc]",
        "[Action] Search[abc]",
        "[Action]: Search[abc]",
        "<action>Search[abc]</action>",
        "\ufeffAction: Search[abc]",
        "\u3000行动：Search[abc]",
        "Action -> Search[abc]",
        "Action:\nSearch[abc]",
        "Action: `Search[abc]`",
        "Action: **Search[abc]**",
        "Action: **Search**[abc]",
        "Action: `Search`[abc]",
        "Action: $\\text{Search}[abc]$",
        "Action: \\boxed{Search[abc]}",
        "Action: [Search[abc]]",
        "Action: Search [ abc ]",
        "Action: Search[abc].",
        "Action: Search[abc]。",
        "Action:\n```\nSearch[abc]\n```",
        "Okay.\nThought: x\n\n\nAction: Search[abc]\n\n",
        "Thought: x\n```\nAction: Search[abc]\n```",
        "Step 1\nThought: x\r\nAction: Search[abc]\r\n",
    ],
)
def test_spellings_of_labels_and_marks_are_no_slip(text: str) -> None:
    reply = read(text)
    assert (reply.kind, reply.tool, reply.input, reply.slips) == ("tool", "Search", "abc", ())


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Action: search[abc]", "tool_name_case"),
        ("Action: SEARCH[abc]", "tool_name_case"),
        ("Action: Search【abc】", "other_brackets"),
        ("Action: Search〔abc〕", "other_brackets"),
        ("Action: Search(abc)", "other_brackets"),
        ("Action: Search（abc）", "other_brackets"),
        ("Action: Search「abc」", "other_brackets"),
        ("Action: Search{abc}", "other_brackets"),
        ("Action: Search<abc>", "other_brackets"),
        ("Action: Search[abc)", "other_brackets"),
        ("Action: Search【abc]", "other_brackets"),
        ('Action: Search("abc")', "quotes_removed"),
        ("Action: Search['abc']", "quotes_removed"),
        ("Action: Search[“abc”]", "quotes_removed"),
        ("Action: Search[`abc`]", "quotes_removed"),
        ('Action: Search(query="abc")', "named_input"),
        ("Action: Search[query: abc]", "named_input"),
        ("Action: Search: abc", "no_bracket"),
        ("Action: Search abc", "no_bracket"),
        ("行动：Search：abc", "no_bracket"),
        ("Action: [Search]: abc", "no_bracket"),
        ("Action: Search\nabc", "no_bracket"),
        ("Action: Search, Action Input: abc", "no_bracket"),
        ("Action: Search\nInput: abc", "named_input"),
        ("Action: Search\nAction Input: abc", "action_input"),
        ("Action: Search\nAction Input: [abc]", "action_input"),
        ('Action: Search\nAction Input: "abc"', "action_input"),
        ("**Action:** Search\n**Action Input:** abc", "action_input"),
        ("行动：Search\n行动输入：abc", "action_input"),
        ("Tool: Search\nTool Input: abc", "action_input"),
        ('Action: Search\nAction Input:\n```json\n{"query": "abc"}\n```', "action_input"),
        ("Action: Search[]\nAction Input: abc", "action_input"),
        ("Action: {Search}[{abc}]", "doubled_braces"),
        ("Action: Search[{{abc}}]", "doubled_braces"),
        ("Action: Search[abc", "unclosed_bracket"),
        ("Action: Search[abc\nand so on", "unclosed_bracket"),
        ("Search[abc]", "no_action_label"),
        ("Thought: x\nSearch[abc]", "no_action_label"),
        ("Thought: x\n**Search[abc]**", "no_action_label"),
        ("Thought: Search[abc]", "no_action_label"),
        ("Action: I will use Search[abc]", "words_before_action"),
        ("Action: Use the tool Search[abc]", "words_before_action"),
        ("行动：使用Search[abc]", "words_before_action"),
        ("Action: None\nAction: Search[abc]", "action_none_skipped"),
        ('Action: {"name": "Search", "arguments": {"query": "abc"}}', "json_action"),
        ('Action: {"name": "Search", "arguments": "{\\"query\\": \\"abc\\"}"}', "json_action"),
        ('Action: {"action": {"name": "Search", "input": "abc"}}', "json_action"),
        ("Action: {'tool': 'Search', 'input': 'abc'}", "json_action"),
        ('Action:\n```json\n{"action": "Search", "action_input": {"query": "abc", "n": 3}}\n```', "json_action"),
        ('Action: Search[{"query": "abc"}]', "json_action"),
        ('{"thought": "x", "action": "Search", "action_input": "abc"}', "json_action"),
        ('{"action": "Search[abc]"}', "json_action"),
        ('[{"name": "Search", "arguments": {"query": "abc"}}]', "json_action"),
        ('Thought: x\n<tool_call>\n{"name": "Search", "arguments": {"query": "abc"}}\n</tool_call>', "json_action"),
        (
            '{"function": {"name": "Search", "arguments": "{\\"query\\": \\"abc\\"}"}}',
            "json_action",
        ),
        ("```text\nThought: x\nAction: Search[abc]\n```", "fence_removed"),
        ("```\nThought: x\nAction: Search[abc]", "fence_removed"),
        ("Action: Search[abc]\nObs", "half_label"),
        ("Action: Search[abc]\n**Observation", "half_label"),
        ("Action: Search\nAction Input: abc\n观", "half_label"),
        ("Action: Search[abc]\nObservation: It is [1] 300.", "invented_observation"),
        ("Action: Search[abc] -> 300", "after_action"),
        ("Action: Search[abc] # look it up", "after_action"),
        ("Action: Search[abc] Observation: 300", "after_action"),
        ("Action: Search: abc Observation: 300", "after_action"),
        ("Action: Search: abc -> 300", "after_action"),
        ("Action: Search[abc], Calculator[2+2]", "after_action"),
        ("Action: Search[abc]\nQuestion: And now?", "after_action"),
        ("Action: Search[abc]\nFinal Answer: 300", "after_action"),
        ("行动：Search[abc]\n观察：是 300。", "invented_observation"),
        ("Action: Search[abc\nObservation: 300", "invented_observation"),
        ("Observation: 300 m\nThought: x\nAction: Search[abc]", "invented_observation"),
        ("<think>Search[wrong]?</think>Action: Search[abc]", "reasoning_removed"),
        ("Action: Search[wrong]?\n</think>\n\nAction: Search[abc]", "reasoning_removed"),
        ("<THINKING>\nHm.\n</THINKING>\nAction: Search[abc]", "reasoning_removed"),
    ],
)
def test_mends_the_reply_and_says_so(text: str, rule: str) -> None:
    reply = read(text)
    assert (reply.kind, reply.tool, reply.input) == ("tool", "Search", "abc")
    assert rule in rules(reply)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Action: Calculator[(1+2)*3]", "(1+2)*3"),
        ("Action: Calculator((1+2)*3)", "(1+2)*3"),
        ("Action: Calculator (1+2)*3", "(1+2)*3"),
        ("Action: Calculator: (1+2)*3", "(1+2)*3"),
        ("Action: Calculator -2+2", "-2+2"),
        ("Calculator(2+2)", "2+2"),
        ('{"action": "Calculator", "action_input": {"expression": 42}}', "42"),
        ("Action: Search[line one\nline two]", "line one\nline two"),
        ("Action: Search[a [b] c]", "a [b] c"),
        ("Action: Search[abc [def]", "abc [def"),
        ("Action: Search[甲【乙】丙]", "甲【乙】丙"),
        ("Action: Search【甲[乙]丙】", "甲[乙]丙"),
        ('Action: Search["a ] b"]', "a ] b"),
        ('Action: Search["abc" def]', '"abc" def'),
        ("Action: Search[C# language]", "C# language"),
        ("Action: Search[what is {draft}]", "what is {draft}"),
    ],
)
def test_takes_the_whole_input_of_a_tool(text: str, expected: str) -> None:
    assert (read(text).kind, read(text).input) == ("tool", expected)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Action: finish[42]", "42"),
        ("Action: FINISH[42]", "42"),
        ("行动：完成[42]", "42"),
        ("行动：结束【42】", "42"),
        ("行动：完成：42", "42"),
        ("Action: Final Answer[42]", "42"),
        ("Action: Final Answer: 42", "42"),
        ("Final Answer: 42", "42"),
        ("**Final Answer:** 42", "42"),
        ("### Final Answer\n42", "42"),
        ("最终答案：42", "42"),
        ("最終答案: 42", "42"),
        ("答案：42", "42"),
        ("Thought: x\nAnswer: 42", "42"),
        ("Thought: x\nFinal Answer: Finish[42]", "42"),
        ("Thought: x\nAction: None\nFinal Answer: 42", "42"),
        ("Action: Finish\nAction Input: 42", "42"),
        ("Action: Finish\nFinal Answer: 42", "42"),
        ("Action: Finish\n42", "42"),
        ("Action: Finish(42)", "42"),
        ("Finish[42]", "42"),
        ("完成[42]", "42"),
        ("Thought: Finish[42]", "42"),
        ("Action: \\boxed{Finish[42]}", "42"),
        ('Action: Finish["42"]', "42"),
        ("Action: {{Finish}}[{{42}}]", "42"),
        ('Action: Finish[{"answer": "42"}]', "42"),
        ('{"final_answer": "42"}', "42"),
        ('Action: {"tool": "Finish", "answer": "42"}', "42"),
        ("Action: Finish[42]。", "42"),
        ("Action: Finish[42]\n\nsee [note 1]", "42"),
        ("Final Answer: 42\nObservation: correct", "42"),
        ("Final Answer: 42\n\nQuestion: And now?", "42"),
        ("Final Answer: one\n\ntwo", "one\n\ntwo"),
        ("Action: Finish: (a) one; (b) two", "(a) one; (b) two"),
        ("Action: Finish(Three:\n- a (x)\n- b)", "Three:\n- a (x)\n- b"),
        ("Action: Finish[a] b]", "a] b"),
        ("Action: Finish[use row[0 and so on]", "use row[0 and so on"),
        ("Action: Finish[{1, 2}]", "{1, 2}"),
        ("Action: Finish[\n```py\nx[0]\n```\n]", "```py\nx[0]\n```"),
        ("```\nThought: x\nAction: Finish[a\n```py\nb\n```]\n```", "a\n```py\nb\n```"),
        ("Action: Finish[So:\nThought: t\nAction: Search[x]\nend]", "So:\nThought: t\nAction: Search[x]\nend"),
        ("Action: Finish[The `<think>` tag]", "The `<think>` tag"),
    ],
)
def test_finishes_with_the_answer(text: str, answer: str) -> None:
    assert (read(text).kind, read(text).tool, read(text).input) == ("finish", "Finish", answer)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "empty_reply"),
        (" \n ", "empty_reply"),
        ("It is 42.", "no_labels"),
        ("I could use Search[abc] for this.", "no_labels"),
        ("Search (the tool) failed.", "no_labels"),
        ("Thought: x", "no_action"),
        ("Thought: I did Action: Search[abc] before.", "no_action"),
        ("Thought: x\nObservation: 300\nAction: Finish[300]", "no_action"),
        ("Action: None", "action_none"),
        ("Action: N/A", "action_none"),
        ("Action: none needed", "action_none"),
        ("Action: No action needed.", "action_none"),
        ("Action: None[]", "action_none"),
        ("行动：无", "action_none"),
        ("行动：不需要", "action_none"),
        ("Action: -", "action_none"),
        ('{"action": "None", "action_input": ""}', "action_none"),
        ("Action: Search[]", "empty_input"),
        ('Action: Search[""]', "empty_input"),
        ("Action: Search【　】", "empty_input"),
        ("Action: Search", "empty_input"),
        ("Action: Finish[]", "empty_input"),
        ("Final Answer:", "empty_input"),
        ("Action: Search\nAction Input:", "empty_input"),
        ('Action: {"tool": "Search", "input": ""}', "empty_input"),
        ("<think>x</think>", "reasoning_only"),
        ("<think>Action: Finish[42]", "reasoning_only"),
        ("Action: I will search for it", "unreadable_action"),
        ("Action: 2+2", "unreadable_action"),
        ("Action: (3+4)*2", "unreadable_action"),
        ("Action: x[0] + 1", "unreadable_action"),
        ("Action:", "unreadable_action"),
        ('Action: {"tool": "Search", "input": "ab', "unreadable_action"),
        ('Action: Search\nAction Input: {"a": "1", "b": "2"}', "unreadable_action"),
    ],
)
def test_names_what_is_wrong(text: str, fault: str) -> None:
    assert (read(text).kind, read(text).fault) == ("no_action", fault)


@pytest.mark.parametrize(
    ("text", "tool", "value"),
    [
        ("Action: Lookup[abc]", "Lookup", "abc"),
        ("Action: Lookup(abc)", "Lookup", "abc"),
        ("Action: web search[abc]", "web search", "abc"),
        ("行动：搜索[甲]", "搜索", "甲"),
        ("Action: Lookup\nAction Input: abc", "Lookup", "abc"),
        ('Action: {"tool": "Lookup", "input": "abc"}', "Lookup", "abc"),
    ],
)
def test_names_a_tool_that_does_not_exist(text: str, tool: str, value: str) -> None:
    reply = read(text)
    assert (reply.kind, reply.tool, reply.input) == ("unknown_tool", tool, value)


def test_calls_a_tool_whose_name_is_a_word_for_finish() -> None:
    assert read_reply("Action: Answer[abc]", ["Answer"]).kind == "tool"


def test_a_labelled_action_counts_before_a_mention_of_a_tool() -> None:
    assert read("Search[abc] failed.\nAction: Search[def]").input == "def"


def test_joins_several_thoughts() -> None:
    assert read("Thought 1: a\nThought 2: b\nAction 2: Search[c]").thought == "a\nb"


def test_cuts_at_an_invented_observation_before_any_action() -> None:
    reply = read("Thought: x\nObservation: 300\nAction: Finish[300]")
    assert reply.kept == "Thought: x"
    assert reply.slips[0].cut == "Observation: 300\nAction: Finish[300]"


def test_drops_an_observation_that_the_reply_begins_with() -> None:
    assert read("Observation: 300 m\nThought: y\nAction: Search[b]").kept == "Thought: y\nAction: Search[b]"


def test_keeps_the_reply_up_to_the_end_of_its_first_action() -> None:
    text = "Okay.\n**Thought:** x\n**Action:** `Search[abc]`\n\nObservation: invented\nAction: Finish[x]"
    assert read(text).kept == "Okay.\n**Thought:** x\n**Action:** `Search[abc]`"


@pytest.mark.parametrize(
    "text", ["Thought: x\n```\nAction: Search[abc]\n```", "<action>Search[abc]</action>", "Action: Search[abc]。"]
)
def test_keeps_marks_that_close_what_was_opened(text: str) -> None:
    assert read(text).kept == text


def test_keeps_a_bad_reply_without_its_reasoning() -> None:
    assert read("<think>hm</think>\nThought: x\nAction: None").kept == "Thought: x\nAction: None"


def test_an_action_in_full_is_not_truncated_by_what_follows() -> None:
    assert not read_reply("Action: Search[abc]\nObservation: 3", TOOLS, finish_reason="length").truncated


@pytest.mark.parametrize(
    "text", ["Final Answer: The answer is", "Thought: I should", "Action: Finish: The", "Action: Search[ab"]
)
def test_a_reply_cut_off_by_the_token_limit_is_truncated(text: str) -> None:
    assert read_reply(text, TOOLS, finish_reason="length").truncated


def test_reads_a_native_call_where_the_text_is_blank() -> None:
    reply = read_reply("", TOOLS, ToolCall("search", '{"query": "abc"}'))
    assert (reply.kind, reply.tool, reply.input) == ("tool", "Search", "abc")
    assert (reply.kept, rules(reply)) == ("Action: Search[abc]", {"native_call"})


def test_reads_a_native_call_beside_a_text_without_action() -> None:
    reply = read_reply("I look it up.", TOOLS, ToolCall("Search", "abc"))
    assert (reply.kind, reply.thought, reply.kept) == ("tool", "I look it up.", "I look it up.\nAction: Search[abc]")


def test_an_action_in_the_text_counts_before_a_native_call() -> None:
    assert read_reply("Action: Search[abc]", TOOLS, ToolCall("Search", "def")).input == "abc"


def test_a_native_call_of_finish_finishes() -> None:
    reply = read_reply("", TOOLS, ToolCall("finish", '{"answer": "42"}'))
    assert (reply.kind, reply.input) == ("finish", "42")


def test_a_native_call_can_name_an_unknown_tool_or_have_no_input() -> None:
    assert read_reply("", TOOLS, ToolCall("lookup", "abc")).kind == "unknown_tool"
    assert read_reply("", TOOLS, ToolCall("Search", "{}")).fault == "empty_input"


@pytest.mark.parametrize("copied", ["the answer", "answer", "your answer", "<answer>", "答案", "最终答案", "..."])
def test_a_copied_format_line_is_no_answer(copied: str) -> None:
    reply = read_reply(f"Thought: done\nAction: Finish[{copied}]", TOOLS)
    assert (reply.kind, reply.fault) == ("no_action", "answer_echo")


def test_an_answer_that_speaks_of_an_answer_is_one() -> None:
    assert read_reply("Action: Finish[The answer is 42]", TOOLS).input == "The answer is 42"
