"""The shipped templates, and filling and checking any template."""

import json
from pathlib import Path
from typing import Any

import pytest

from agents.events import Language
from agents.prompts import ROLES, check_template, default_templates, fill, load_template, placeholders_in, variants

CASES = [json.loads(line) for line in (Path(__file__).parent / "cases/templates.jsonl").read_text().splitlines()]
FILLED = [case for case in CASES if "text" in case["expected"]]
WARNED = [case for case in CASES if "missing" in case["expected"]]
ALL_ROLES = [(agent, role) for agent, roles in ROLES.items() for role in roles]
ALL_TEMPLATES = [
    (agent, role, variant, language)
    for agent, role in ALL_ROLES
    for variant in variants(agent, role)
    for language in ("en", "zh")
]


@pytest.mark.parametrize("case", FILLED, ids=lambda case: case["title"])
def test_known_placeholders_are_filled_and_all_else_stays(case: dict[str, Any]) -> None:
    assert fill(case["input"]["template"], case["input"]["values"]) == case["expected"]["text"]


@pytest.mark.parametrize("case", WARNED, ids=lambda case: case["title"])
def test_a_missing_placeholder_is_a_warning_and_nothing_is_evaluated(case: dict[str, Any]) -> None:
    template, expected = case["input"]["template"], case["expected"]
    warnings = check_template(template, ["question"])
    assert [warning.placeholder for warning in warnings] == expected["missing"]
    assert [warning.written for warning in warnings][: len(expected.get("did_you_mean", []))] == list(
        expected.get("did_you_mean", [])
    )
    assert fill(template, case["input"]["values"]) == template


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("{{question}}", "{question}"),
        ('{"a": {"b": "{question}"}}', '{"a": {"b": "Q"}}'),
        ('{{"a": {{"b": 1}}}} {question}', '{"a": {"b": 1}} Q'),
        ("{question}{question}", "QQ"),
        ("{ question } {question!r} {question:>9}", "{ question } {question!r} {question:>9}"),
        ("a }} b {question}", "a }} b Q"),
        ("{{{question}}}", "{Q}"),
        ("", ""),
    ],
)
def test_braces_of_every_kind_survive(template: str, text: str) -> None:
    assert fill(template, {"question": "Q"}) == text


@pytest.mark.parametrize(
    ("template", "written"),
    [
        ("{questoin}", "{questoin}"),
        ("{QUESTION}", "{QUESTION}"),
        ("{ question }", "{ question }"),
        ("{questions}", "{questions}"),
        ("｛question}", "｛question}"),
        ("{question!r}", "{question!r}"),
        ("{{question}}", ""),
        ("question", ""),
        ('{"note": 1}', ""),
    ],
)
def test_the_warning_names_what_was_probably_meant(template: str, written: str) -> None:
    warning = check_template(template, ["question"], ["tools"])[0]
    assert (warning.placeholder, warning.written) == ("question", written)


def test_an_optional_placeholder_is_missed_only_where_it_is_misspelt() -> None:
    assert check_template("{question}", ["question"], ["trajectory"]) == []
    assert [w.written for w in check_template("{question} {trajctory}", ["question"], ["trajectory"])] == [
        "{trajctory}"
    ]


@pytest.mark.parametrize(("agent", "role"), ALL_ROLES)
def test_every_role_has_a_default_first(agent: str, role: str) -> None:
    assert variants(agent, role)[0] == "default"


@pytest.mark.parametrize(("agent", "role", "variant", "language"), ALL_TEMPLATES)
def test_every_shipped_template_exists_in_both_languages_and_uses_only_what_it_can_get(
    agent: str, role: str, variant: str, language: Language
) -> None:
    template = load_template(agent, role, variant, language)
    known = ROLES[agent][role]
    assert check_template(template, known.required, known.optional) == []
    assert placeholders_in(template) <= {*known.required, *known.optional}


def test_defaults_are_one_template_a_role() -> None:
    assert set(default_templates("reflection", "zh")) == {"writer", "reviewer", "reviser"}
