"""Every slip and fault that a parser can report has its sentence in both languages."""

import re
from pathlib import Path

import pytest

from agents.wording import entries

SOURCE = "".join(path.read_text() for path in (Path(__file__).parents[1] / "agents" / "parsing").glob("*.py"))
FAULTS = {
    *re.findall(r'(?:FormatError\(|fault=)"(\w+)"', SOURCE),
    "no_labels",
    "not_a_list",
    "empty_plan",
    "empty_reply",
}


@pytest.mark.parametrize("rule", sorted(set(re.findall(r'Slip\(\s*"(\w+)"', SOURCE))))
def test_every_slip_has_its_sentence(rule: str) -> None:
    assert entries("slip")[rule].keys() == {"en", "zh"}


@pytest.mark.parametrize("rule", sorted(FAULTS))
def test_every_fault_has_its_sentence(rule: str) -> None:
    assert entries("fault")[rule].keys() == {"en", "zh"}
