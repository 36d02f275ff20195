"""Each switch and each version of an ablation changes what it says, seen in the requests, and nothing else."""

from dataclasses import asdict, fields, replace
from itertools import combinations
from typing import get_args

import pytest

from agents.ablations import ABLATIONS, Ablation, Version, ablations_of
from agents.base import Settings
from agents.by_name import NAMES, SWITCHES, Switch, Switches, make_agent
from agents.events import (
    Action,
    Draft,
    Feedback,
    FinalAnswer,
    FormatSlip,
    Language,
    Message,
    ModelRequest,
    Observation,
    StepResult,
    StepStarted,
    Thought,
)
from agents.prompts import ROLES, fill, load_template
from agents.react import STOP
from agents.run import Run
from agents.tools.toolbox import Toolbox
from tests.agents_under_test import TOOLBOX
from tests.scripted_model import ScriptedModel

QUESTION = "Which tower is taller?"
LOOK_UP_A = "Thought: I need A.\nAction: Search[height of Tower A]"
LOOK_UP_B = "Thought: I need B.\nAction: Search[height of Tower B]"
FINISH = "Thought: 300 is more.\nAction: Finish[Tower A]"
PLAN = '["Find the price", "Add the tax"]'
REVISE = "Line 2 is short.\nVerdict: REVISE"
APPROVE = "All good.\nVerdict: APPROVED"

VERSIONS = [(ablation, version) for ablation in ABLATIONS for version in ablation.versions]
VERSION = {(ablation.name, version.name): (ablation.agent, version) for ablation, version in VERSIONS}
VARIANTS = [
    (ablation.agent, role, variant) for ablation, version in VERSIONS for role, variant in version.variants.items()
]


def run_of(
    ablation: str, version: str, *replies: str, language: Language = "en", variants: dict[str, str] | None = None
) -> Run:
    """The run of one version; every one of `replies`, and nothing else, was asked for."""
    agent, told = VERSION[ablation, version]
    model = ScriptedModel(*replies)
    chosen = {**told.variants, **(variants or {})}
    templates = {role: load_template(agent, role, variant, language) for role, variant in chosen.items()}
    toolbox = Toolbox(TOOLBOX.tools if told.has_tools else [], language)
    run = make_agent(agent, model, toolbox, templates, Settings(language), switches=told.switches).run(QUESTION)
    model.assert_finished()
    return run


def requests(run: Run) -> list[ModelRequest]:
    return list(run.of(ModelRequest))


def said(request: ModelRequest, role: str) -> list[str]:
    """What stands in the turns of the person (the prompts) or of the model."""
    return [message.content for message in request.messages if message.role == role]


@pytest.mark.parametrize(("language", "word"), [("en", "thought"), ("zh", "思考")])
@pytest.mark.parametrize(("version", "is_told"), [("with_all", True), ("without_thoughts", False)])
def test_without_thoughts_neither_the_prompt_nor_a_nudge_speaks_of_them(
    version: str, is_told: bool, language: Language, word: str
) -> None:
    replies = ("Action: Divide[1, 2]", "Action: Search[height of Tower A]", "Action: Finish[Tower A]")
    last = requests(run_of("thoughts", version, *replies, language=language))[-1]
    assert [word in prompt.lower() for prompt in said(last, "user")] == [is_told] * 3


@pytest.mark.parametrize(("language", "word"), [("en", "thought"), ("zh", "思考")])
def test_without_thoughts_a_reply_without_labels_is_not_told_that_it_has_none(language: Language, word: str) -> None:
    run = run_of("thoughts", "without_thoughts", "?", "Action: Finish[Tower A]", language=language)
    assert word not in said(requests(run)[1], "user")[-1].lower()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_without_thoughts_the_tools_are_the_same(language: Language) -> None:
    versions = ("with_all", "without_thoughts")
    runs = [run_of("thoughts", version, "Action: Finish[Tower A]", language=language) for version in versions]
    described = Toolbox(TOOLBOX.tools, language).describe()
    assert [described in requests(run)[0].messages[0].content for run in runs] == [True, True]


@pytest.mark.parametrize(("language", "nothing"), [("en", "(none)"), ("zh", "（无）")])
def test_without_tools_the_prompt_names_none(language: Language, nothing: str) -> None:
    prompt = requests(run_of("tools", "without_tools", FINISH, language=language))[0].messages[0].content
    assert [name in prompt for name in (nothing, *TOOLBOX.names)] == [True, False, False]


def test_without_tools_there_is_none_to_call() -> None:
    run = run_of("tools", "without_tools", LOOK_UP_A, FINISH)
    assert [observation.is_error for observation in run.of(Observation)] == [True]
    assert run.started is not None
    assert run.started.settings["tools"] == ""


def test_without_tools_a_nudge_asks_for_nothing_but_the_finish() -> None:
    nudge = said(requests(run_of("tools", "without_tools", "Tower A.", FINISH))[-1], "user")[-1]
    assert [name in nudge for name in ("Finish[", "Name[", *TOOLBOX.names)] == [True, False, False, False]


def test_forgotten_thoughts_are_missing_from_the_trajectory_alone() -> None:
    replies = (LOOK_UP_A, LOOK_UP_B, FINISH)
    kept, forgotten = (run_of("memory", version, *replies) for version in ("with_all", "thoughts_forgotten"))
    actions = ["Action: Search[height of Tower A]", "Action: Search[height of Tower B]"]
    assert [said(request, "assistant") for request in requests(forgotten)] == [[], actions[:1], actions]
    assert [said(request, "user") for request in requests(forgotten)] == [said(r, "user") for r in requests(kept)]
    bare = [[replace(request, messages=()) for request in requests(run)] for run in (kept, forgotten)]
    assert bare[0] == bare[1]
    assert list(forgotten.of(Thought)) == list(kept.of(Thought))


def test_forgotten_thoughts_are_missing_from_a_trajectory_as_text() -> None:
    as_text = {"react": "as_text"}
    kept, forgotten = (
        requests(run_of("memory", version, LOOK_UP_A, FINISH, variants=as_text))[1].messages[0].content
        for version in ("with_all", "thoughts_forgotten")
    )
    assert forgotten == kept.replace("Thought: I need A.\n", "")


def test_where_thoughts_are_forgotten_a_reply_without_an_action_stays_whole() -> None:
    run = run_of("memory", "thoughts_forgotten", "Thought: I need A.", FINISH)
    assert said(requests(run)[1], "assistant") == ["Thought: I need A."]


def test_forgotten_thoughts_leave_the_action_with_the_label_of_the_language() -> None:
    run = run_of("memory", "thoughts_forgotten", "思考：缺A。\n行动：Search[塔A]", "行动：Finish[塔A]", language="zh")
    assert said(requests(run)[1], "assistant") == ["行动：Search[塔A]"]


@pytest.mark.parametrize(("version", "stop"), [("with_all", STOP), ("without_stop", ())])
def test_the_stop_sequence_is_sent_with_every_call_or_with_none(version: str, stop: tuple[str, ...]) -> None:
    run = run_of("stop", version, LOOK_UP_A, "?", FINISH)
    assert [request.stop for request in requests(run)] == [stop] * 3


def test_without_the_stop_sequence_nothing_else_differs() -> None:
    runs = [run_of("stop", version, LOOK_UP_A, FINISH) for version in ("with_all", "without_stop")]
    assert [replace(r, stop=()) for r in requests(runs[0])] == requests(runs[1])


def test_an_observation_that_is_then_invented_is_cut_and_reaches_nothing() -> None:
    invented = "Observation: It is 900 m.\nThought: 900 is more.\nAction: Finish[Tower B]"
    run = run_of("stop", "without_stop", f"{LOOK_UP_A}\n{invented}", FINISH)
    assert [(slip.rule, slip.cut) for slip in run.of(FormatSlip)] == [("invented_observation", invented)]
    assert list(run.of(Action)) == [Action("Search", "height of Tower A")]
    assert said(requests(run)[1], "assistant") == [LOOK_UP_A]


def example_prompt(version: str, language: Language) -> str:
    return requests(run_of("examples", version, FINISH, language=language))[0].messages[0].content


@pytest.mark.parametrize(("language", "label"), [("en", "\nObservation: "), ("zh", "\n观察：")])
@pytest.mark.parametrize(("version", "observations"), [("no_example", 0), ("one_example", 2), ("two_examples", 3)])
def test_the_prompt_shows_as_many_examples_as_the_version_says(
    version: str, observations: int, language: Language, label: str
) -> None:
    assert example_prompt(version, language).count(label) == observations


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_prompts_differ_only_by_their_examples(language: Language) -> None:
    none, one, two = (
        example_prompt(version, language).split("\n\n") for version in ("no_example", "one_example", "two_examples")
    )
    *rules, question = none
    introduced, further = one[-2].partition("\n"), two[-3].partition("\n")
    assert one == [*rules, "".join(introduced), question]
    assert two == [*rules, "".join(further), two[-2], question]
    assert introduced[2] == further[2]


def test_a_plan_that_nobody_carries_out_goes_straight_to_the_closing_call() -> None:
    run = run_of("execution", "plan_only", PLAN, "33")
    assert [request.role for request in requests(run)] == ["planner", "closing"]
    assert [(step.number, step.kind) for step in run.of(StepStarted)] == [(1, "plan"), (2, "close")]
    assert list(run.of(StepResult)) == []
    assert "1. Find the price\n2. Add the tax" in requests(run)[1].messages[0].content
    assert run.answer == "33"


def test_the_planner_does_not_know_whether_its_plan_is_carried_out() -> None:
    runs = (run_of("execution", "with_all", PLAN, "30", "33", "33"), run_of("execution", "plan_only", PLAN, "33"))
    assert requests(runs[0])[0] == requests(runs[1])[0]


def test_without_the_closing_call_the_executor_has_the_last_word() -> None:
    run = run_of("closing", "without_closing", PLAN, "30", "33")
    assert [request.role for request in requests(run)] == ["planner", "executor", "executor"]
    assert run.answer == "33"


def test_a_plan_that_nobody_carries_out_is_closed_even_where_closing_is_off() -> None:
    model = ScriptedModel(PLAN, "33")
    run = make_agent("plan_and_solve", model, TOOLBOX, switches=Switches(closes=False, executes=False)).run(QUESTION)
    assert [request.role for request in requests(run)] == ["planner", "closing"]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(("version", "variant"), [("strict_reviewer", "strict"), ("kind_reviewer", "kind")])
def test_the_reviewer_has_the_prompt_of_its_version(version: str, variant: str, language: Language) -> None:
    run = run_of("reviewer", version, "one", REVISE, "two", APPROVE, language=language)
    template = load_template("reflection", "reviewer", variant, language)
    prompts = [request.messages for request in requests(run) if request.role == "reviewer"]
    assert prompts == [
        (Message("user", fill(template, {"question": QUESTION, "draft": draft})),) for draft in ("one", "two")
    ]


def test_whoever_reviews_writer_and_reviser_are_asked_the_same() -> None:
    strict, kind = (
        [request for request in requests(run) if request.role != "reviewer"]
        for run in (run_of("reviewer", v, "one", REVISE, "two", APPROVE) for v in ("strict_reviewer", "kind_reviewer"))
    )
    assert strict == kind


def test_without_a_reviewer_every_round_is_a_revision() -> None:
    run = run_of("reviewer", "no_reviewer", "one", "two", "three", "four")
    assert [request.role for request in requests(run)] == ["writer", "reviser", "reviser", "reviser"]
    assert [(step.number, step.kind) for step in run.of(StepStarted)] == [
        (1, "draft"),
        (2, "revise"),
        (3, "revise"),
        (4, "revise"),
    ]
    assert list(run.of(Feedback)) == []
    assert list(run.of(Draft)) == [Draft(1, "one"), Draft(2, "two"), Draft(3, "three"), Draft(4, "four")]
    assert (run.reason, next(run.of(FinalAnswer))) == ("round_limit", FinalAnswer("four", "not_reviewed"))


@pytest.mark.parametrize(
    ("language", "told"), [("en", "(nobody has reviewed this version)"), ("zh", "（没有人评审这一版）")]
)
def test_without_a_reviewer_the_reviser_is_told_that_there_is_no_feedback(language: Language, told: str) -> None:
    run = run_of("reviewer", "no_reviewer", "one", "two", "two", language=language)
    prompts = [request.messages[0].content for request in requests(run)[1:]]
    assert [prompt.count(told) for prompt in prompts] == [1, 1]
    first = {"question": QUESTION, "draft": "one", "feedback": told}
    assert prompts[0] == fill(load_template("reflection", "reviser", "no_feedback", language), first)


def test_without_a_reviewer_a_revision_that_changes_nothing_ends_the_run() -> None:
    run = run_of("reviewer", "no_reviewer", "one", "one")
    assert (run.reason, run.answer) == ("no_change", "one")


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(("agent", "role", "variant"), VARIANTS)
def test_the_prompts_of_every_version_are_shipped(agent: str, role: str, variant: str, language: Language) -> None:
    assert role in ROLES[agent]
    assert load_template(agent, role, variant, language)


@pytest.mark.parametrize(("ablation", "version"), VERSIONS, ids=lambda value: value.name)
def test_every_version_switches_off_only_what_its_agent_has(ablation: Ablation, version: Version) -> None:
    off = {name for name, is_on in asdict(version.switches).items() if not is_on}
    assert off <= set(SWITCHES[ablation.agent])
    assert version.has_tools or ablation.agent == "react"


@pytest.mark.parametrize("ablation", ABLATIONS, ids=lambda ablation: ablation.name)
def test_the_versions_of_an_ablation_differ_in_name_and_in_kind(ablation: Ablation) -> None:
    assert len({version.name for version in ablation.versions}) == len(ablation.versions)
    pairs = combinations([replace(version, name="") for version in ablation.versions], 2)
    assert [one == other for one, other in pairs].count(True) == 0


def test_ablations_are_found_by_their_agent_and_no_two_have_the_same_name() -> None:
    found = [ablation for agent in NAMES for ablation in ablations_of(agent)]
    assert sorted(ablation.name for ablation in found) == sorted({ablation.name for ablation in ABLATIONS})


@pytest.mark.parametrize(("agent", "switch"), [(agent, switch) for agent in NAMES for switch in SWITCHES[agent]])
def test_a_run_records_its_switches_and_they_are_read_back(agent: str, switch: Switch) -> None:
    switches = replace(Switches(), **{switch: False})
    settings = make_agent(agent, ScriptedModel(), TOOLBOX, switches=switches).start(QUESTION).settings
    assert settings[switch] is False
    assert Switches.of(settings) == switches


@pytest.mark.parametrize("agent", NAMES)
def test_a_run_records_the_switches_of_its_agent_and_no_others(agent: str) -> None:
    off = Switches(**dict.fromkeys(get_args(Switch), False))
    settings = make_agent(agent, ScriptedModel(), TOOLBOX, switches=off).start(QUESTION).settings
    assert set(settings) & set(get_args(Switch)) == set(SWITCHES[agent])


def test_every_switch_has_a_name_and_is_on_where_nothing_is_recorded() -> None:
    assert {field.name for field in fields(Switches)} == set(get_args(Switch))
    assert Switches.of({}) == Switches()
