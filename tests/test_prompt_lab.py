"""The prompt lab, as far as AppTest can see it: experiments in a click, one's own versions, and what comes of them."""

import json
from contextlib import suppress
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from agents.ablations import ABLATIONS, Ablation
from agents.by_name import SWITCHES
from agents.events import Language
from agents.prompts import ROLES, load_template
from agents.run import Run
from components.comparison_run import ComparisonRun
from components.template_file import TemplateSet, write_template_set
from tests.app_under_test import (
    PAGES,
    buttons,
    click,
    drawn_html,
    labels,
    open_page,
    run_and_look,
    switch_language,
    text,
    visit,
    words,
)
from tests.sse_server import Answer, SSEServer, answering, text_chunk

pytestmark = pytest.mark.usefixtures("nothing_is_set")

LANGUAGES: tuple[Language, ...] = ("en", "zh")
TOOLS = ["Search", "Calculator"]
EXPERIMENT = {ablation.name: ablation for ablation in ABLATIONS}
SUM = "Thought: a sum\nAction: Calculator[2+3]"
FIVE = "Thought: so\nAction: Finish[5]"
MINE = "MINE {question} {tools}"
APPROVED = "Good.\nVerdict: APPROVED"
every_experiment = pytest.mark.parametrize("ablation", ABLATIONS, ids=lambda ablation: ablation.name)
in_both_languages = pytest.mark.parametrize("lang", LANGUAGES)


def choose(app: AppTest, agent: str) -> AppTest:
    app.segmented_control(key="prompt_lab.agent").set_value(agent).run()
    return app


def set_up(ablation: Ablation, lang: Language = "en") -> AppTest:
    """The page with this experiment, its versions to run one after the other."""
    app = choose(open_page("prompt_lab", lang=lang), ablation.agent)
    app.segmented_control(key="prompt_lab.order").set_value("in_turn").run()
    return click(app, f"prompt_lab.ablation.{ablation.name}")


def asked(server: SSEServer, name: str, *replies: str) -> list[dict[str, Any]]:
    """The requests of all versions of this experiment in turn, with these replies."""
    server.answer(*answering(*replies))
    run_and_look(set_up(EXPERIMENT[name]), "prompt_lab.start")
    return server.bodies


def prompt(body: dict[str, Any]) -> str:
    return str(body["messages"][0]["content"])


def in_turn(app: AppTest) -> AppTest:
    app.segmented_control(key="prompt_lab.order").set_value("in_turn").run()
    return app


def edit(app: AppTest, version: str, template: str, lang: Language = "en") -> AppTest:
    app.text_area(key=f"prompt.react.{version}.react.{lang}").set_value(template).run()
    return app


def box(app: AppTest, version: str, lang: Language = "en") -> str:
    return str(app.text_area(key=f"prompt.react.{version}.react.{lang}").value)


def start_from(app: AppTest, source: str) -> AppTest:
    """The app after version B was made to start from the source with this key."""
    app.selectbox(key="prompt_lab.react.b.source").set_value(source).run()
    return app


def compared(app: AppTest) -> ComparisonRun:
    comparison: ComparisonRun = app.session_state["prompt_lab.run"]
    return comparison


def runs(app: AppTest) -> dict[str, Run]:
    return {job.lane: run for job, run in compared(app).runs.items()}


def settings_of(app: AppTest, agent: str, version: str) -> dict[str, object]:
    return {
        setting: app.session_state[f"prompt_lab.{agent}.{version}.{setting}"] for setting in ("tools", *SWITCHES[agent])
    }


def templates_of(ablation: Ablation, number: int, lang: Language) -> dict[str, str]:
    variants = ablation.versions[number].variants
    return {
        role: load_template(ablation.agent, role, variants.get(role, "default"), lang) for role in ROLES[ablation.agent]
    }


def changed_roles(ablation: Ablation) -> set[str]:
    """The roles whose prompts are not the same in all versions."""
    return {role for version in ablation.versions for role in version.variants}


def changed_settings(ablation: Ablation) -> set[str]:
    switches = {
        switch
        for version in ablation.versions
        for switch in SWITCHES[ablation.agent]
        if not getattr(version.switches, switch)
    }
    return switches | {"tools" for version in ablation.versions if not version.has_tools}


def outcome_sentences(app: AppTest) -> list[str]:
    """What stands in large letters below the lanes. Titles of versions are left out."""
    large = [str(part.value).removeprefix("#### ") for part in app.markdown if str(part.value).startswith("#### ")]
    return [said for said in large if said.endswith((".", "。"))]


START = ComparisonRun.start


def stop_then_start(comparison: ComparisonRun) -> None:
    """What a click on Stop right after Run comes to."""
    comparison.stop()
    START(comparison)


def wait_for_the_runs(page: str) -> None:
    """Stands in for something on the page that takes as long as the runs."""
    import streamlit as st

    with suppress(KeyError):
        st.session_state[f"{page}.run"].wait(10)


# Experiments in one click


@every_experiment
@in_both_languages
def test_an_experiment_sets_its_versions_up_in_one_click(ablation: Ablation, lang: Language) -> None:
    app = set_up(ablation, lang)
    assert not app.exception
    assert app.session_state["prompt_lab.count"] == len(ablation.versions)
    shown = [settings_of(app, ablation.agent, name) for name, _ in zip("abc", ablation.versions, strict=False)]
    assert shown == [
        {"tools": TOOLS if version.has_tools else []}
        | {switch: getattr(version.switches, switch) for switch in SWITCHES[ablation.agent]}
        for version in ablation.versions
    ]
    assert text(f"prompt_lab.about_{ablation.name}", lang) in words(app)


@every_experiment
@in_both_languages
def test_the_versions_that_run_are_those_of_the_experiment(ablation: Ablation, lang: Language) -> None:
    app = run_and_look(set_up(ablation, lang), "prompt_lab.start")
    started = [run.started for run in runs(app).values() if run.started]
    assert [each.templates for each in started] == [
        templates_of(ablation, number, lang) for number, _ in enumerate(ablation.versions)
    ]
    assert [each.settings["language"] for each in started] == [lang] * len(ablation.versions)
    other: Language = "zh" if lang == "en" else "en"
    lanes = compared(app).lanes.values()
    assert [lane.agent(other).templates for lane in lanes] == [
        templates_of(ablation, number, other) for number, _ in enumerate(ablation.versions)
    ]


@every_experiment
@in_both_languages
def test_what_an_experiment_tests_is_shown_before_it_is_run(ablation: Ablation, lang: Language) -> None:
    app = set_up(ablation, lang)
    drawn = "\n".join(drawn_html(app))
    roles = {text(f"prompt_editor.role_{ablation.agent}_{role}", lang) for role in ROLES[ablation.agent]}
    changed = {text(f"prompt_editor.role_{ablation.agent}_{role}", lang) for role in changed_roles(ablation)}
    assert {role for role in roles if f"<b>{text('summary.prompt_changed', lang, role=role)}" in drawn} == changed
    named = {
        name
        for name in ("tools", *SWITCHES[ablation.agent])
        if f"- {text(f'summary.setting_{name}', lang)}: " in words(app)
    }
    assert named == changed_settings(ablation)
    assert text("prompt_lab.no_difference", lang) not in words(app)


@every_experiment
@in_both_languages
def test_an_experiment_runs_on_the_demo_model_to_an_outcome(ablation: Ablation, lang: Language) -> None:
    app = run_and_look(set_up(ablation, lang), "prompt_lab.start")
    names = "abc"[: len(ablation.versions)]
    assert not app.exception
    assert not app.error
    assert "".join(runs(app)) == names
    assert {run.reason for run in runs(app).values()}.isdisjoint({None, "stopped", "model_error"})
    assert {f"prompt_lab.open.{name}" for name in names} <= buttons(app)
    assert len(outcome_sentences(app)) == len(names) - 1
    titles = [text(f"prompt_lab.version_{name}", lang) for name in names]
    assert list(app.table[0].value.columns)[1 : 1 + len(names)] == titles
    assert not app.button(key="prompt_lab.start").disabled


@pytest.mark.parametrize("kind", ["race", "in_turn"])
def test_versions_run_at_once_or_in_turn(kind: str) -> None:
    app = open_page("prompt_lab")
    app.segmented_control(key="prompt_lab.order").set_value(kind).run()
    run_and_look(app, "prompt_lab.start")
    assert compared(app).is_race == (kind == "race")
    assert {run.answer for run in runs(app).values()} != {None}


# What is asked of the model


def test_without_thoughts_no_thought_is_asked_for(app_server: SSEServer) -> None:
    whole, acting = asked(app_server, "thoughts", FIVE, FIVE)
    assert "Thought:" in prompt(whole)
    assert "Thought:" not in prompt(acting)


def test_without_tools_no_tool_is_offered(app_server: SSEServer) -> None:
    whole, reasoning = asked(app_server, "tools", FIVE, FIVE)
    assert "Calculator[expression]" in prompt(whole)
    assert "Calculator[expression]" not in prompt(reasoning)
    assert "Search[words]" not in prompt(reasoning)


def test_forgotten_thoughts_are_not_sent_again(app_server: SSEServer) -> None:
    _, remembered, _, forgotten = asked(app_server, "memory", SUM, FIVE, SUM, FIVE)
    assert [message["content"] for message in remembered["messages"]][1] == SUM
    assert [message["content"] for message in forgotten["messages"]][1] == "Action: Calculator[2+3]"
    assert "a sum" not in json.dumps(forgotten)


def test_without_stop_sequence_none_is_sent(app_server: SSEServer) -> None:
    whole, without = asked(app_server, "stop", FIVE, FIVE)
    assert whole["stop"]
    assert "stop" not in without
    assert prompt(whole) == prompt(without)


def test_the_versions_have_no_one_and_two_examples(app_server: SSEServer) -> None:
    bodies = asked(app_server, "examples", FIVE, FIVE, FIVE)
    assert [prompt(body).count("\nQuestion: ") for body in bodies] == [1, 2, 3]


def test_a_plan_that_is_not_carried_out_is_answered_from_at_once(app_server: SSEServer) -> None:
    bodies = asked(app_server, "execution", '["Find A"]', "the result", "42", '["Find A"]', "41")
    assert len(bodies) == 5
    assert "the result" in prompt(bodies[2])
    assert "1. Find A" in prompt(bodies[4])
    assert "the result" not in prompt(bodies[4])


def test_without_closing_call_the_last_result_is_the_answer(app_server: SSEServer) -> None:
    app_server.answer(*answering('["Find A"]', "the result", "42", '["Find A"]', "the result"))
    app = run_and_look(set_up(EXPERIMENT["closing"]), "prompt_lab.start")
    assert {name: run.answer for name, run in runs(app).items()} == {"a": "42", "b": "the result"}
    assert len(app_server.exchanges) == 5


def test_the_reviewers_are_strict_kind_and_nobody(app_server: SSEServer) -> None:
    bodies = asked(app_server, "reviewer", "a haiku", APPROVED, "a haiku", APPROVED, "a haiku", "a haiku")
    strict, kind = (load_template("reflection", "reviewer", name, "en").split("\n")[0] for name in ("strict", "kind"))
    alone = load_template("reflection", "reviser", "no_feedback", "en").split("\n")[0]
    first_lines = [prompt(body).split("\n")[0] for body in bodies]
    assert [first_lines[position] for position in (1, 3, 5)] == [strict, kind, alone]


# Versions of one's own


def test_at_first_the_versions_do_not_differ_and_the_page_warns() -> None:
    app = open_page("prompt_lab")
    assert text("prompt_lab.no_difference") in words(app)
    assert text("prompt_lab.own_experiment") in words(app)


def test_a_prompt_edited_in_place_is_shown_and_is_no_experiment_of_the_list_any_more() -> None:
    app = edit(set_up(EXPERIMENT["stop"]), "b", MINE)
    assert text("prompt_lab.own_experiment") in words(app)
    assert text("prompt_lab.about_stop") not in words(app)
    assert any("<ins" in html and "MINE" in html and "Prompt: " in html for html in drawn_html(app))


def test_a_prompt_edited_in_place_is_the_one_that_is_asked(app_server: SSEServer) -> None:
    app_server.answer(*answering(FIVE, FIVE))
    run_and_look(edit(in_turn(open_page("prompt_lab")), "b", MINE), "prompt_lab.start")
    assert [prompt(body).startswith("MINE ") for body in app_server.bodies] == [False, True]


@pytest.mark.parametrize("switch", SWITCHES["react"])
def test_a_switch_turned_by_hand_is_what_is_tested(switch: str) -> None:
    app = open_page("prompt_lab")
    app.toggle(key=f"prompt_lab.react.b.{switch}").set_value(False).run()
    assert f"- {text(f'summary.setting_{switch}')}: on → off" in words(app)


def test_a_switch_put_back_makes_it_the_experiment_of_the_list_again() -> None:
    app = set_up(EXPERIMENT["memory"])
    app.toggle(key="prompt_lab.react.b.closes").set_value(False).run()
    assert text("prompt_lab.own_experiment") in words(app)
    app.toggle(key="prompt_lab.react.b.closes").set_value(True).run()
    assert text("prompt_lab.about_memory") in words(app)


def test_a_tool_switched_off_is_no_experiment_of_the_list_any_more() -> None:
    app = set_up(EXPERIMENT["stop"])
    app.pills(key="prompt_lab.react.b.tools").set_value(["Search"]).run()
    assert f"- {text('summary.setting_tools')}: Search, Calculator → Search" in words(app)
    assert text("prompt_lab.own_experiment") in words(app)


def test_what_was_written_stays_at_hand_after_an_experiment() -> None:
    app = click(edit(open_page("prompt_lab"), "b", MINE), "prompt_lab.ablation.thoughts")
    assert box(app, "b") == load_template("react", "react", "act_only", "en")
    app.selectbox(key="prompt.react.b.react.en.variant").set_value("own").run()
    assert box(app, "b") == MINE


def test_a_version_starts_from_the_prompts_of_the_page() -> None:
    app = open_page("react")
    app.text_area(key="prompt.react.react.en").set_value(MINE).run()
    app.toggle(key="react.sends_stop").set_value(False).run()
    start_from(visit(app, "prompt_lab"), "page")
    assert not app.exception
    assert (box(app, "a") == MINE, box(app, "b")) == (False, MINE)
    assert settings_of(app, "react", "b")["sends_stop"] is False
    assert app.selectbox(key="prompt_lab.react.b.source").value is None


def test_a_version_starts_from_an_earlier_run(app_server: SSEServer) -> None:
    app_server.answer(*answering(FIVE))
    app = open_page("react")
    app.text_area(key="react.question").set_value("How many?").run()
    app.text_area(key="prompt.react.react.en").set_value(MINE).run()
    app.pills(key="react.tools").set_value(["Calculator"]).run()
    app.toggle(key="react.keeps_thoughts").set_value(False).run()
    run_and_look(app, "react.start")
    app.text_area(key="prompt.react.react.en").set_value("Something else").run()
    start_from(visit(app, "prompt_lab"), "react.run")
    assert not app.exception
    assert box(app, "b") == MINE
    expected = {"tools": ["Calculator"], "closes": True, "sends_stop": True, "keeps_thoughts": False}
    assert settings_of(app, "react", "b") == expected


def test_the_last_run_and_the_one_before_it_are_both_offered(app_server: SSEServer) -> None:
    app_server.answer(*answering(FIVE, FIVE))
    app = open_page("react")
    app.text_area(key="prompt.react.react.en").set_value("FIRST {question}").run()
    run_and_look(app, "react.start")
    app.text_area(key="prompt.react.react.en").set_value("SECOND {question}").run()
    app = visit(run_and_look(app, "react.start"), "prompt_lab")
    assert len(set(app.selectbox(key="prompt_lab.react.b.source").options)) == 3
    assert box(start_from(app, "react.run"), "b") == "SECOND {question}"
    assert box(start_from(app, "react.previous"), "b") == "FIRST {question}"


def test_names_of_sources_are_shown_as_they_are() -> None:
    options = open_page("prompt_lab").selectbox(key="prompt_lab.react.b.source").options
    assert options == [text("prompt_lab.from_page", page="ReAct")]


def test_runs_of_other_paradigms_are_not_offered(app_server: SSEServer) -> None:
    app_server.answer(*answering("a haiku", APPROVED))
    app = visit(run_and_look(open_page("reflection"), "reflection.start"), "prompt_lab")
    assert len(app.selectbox(key="prompt_lab.react.b.source").options) == 1
    assert len(choose(app, "reflection").selectbox(key="prompt_lab.reflection.b.source").options) == 2


def test_a_version_is_loaded_from_a_file() -> None:
    data = write_template_set(TemplateSet("react", "en", {"react": MINE})).encode()
    app = open_page("prompt_lab")
    app.file_uploader(key="prompt.react.b.upload.0").set_value(("mine.json", data, "application/json")).run()
    assert not app.exception
    assert (box(app, "a") == MINE, box(app, "b")) == (False, MINE)


def test_a_file_of_another_paradigm_is_refused_with_a_sentence() -> None:
    data = write_template_set(TemplateSet("reflection", "en", {"writer": "{question}"})).encode()
    app = open_page("prompt_lab")
    before = box(app, "b")
    app.file_uploader(key="prompt.react.b.upload.0").set_value(("mine.json", data, "application/json")).run()
    assert "Reflection" in app.error[0].value
    assert box(app, "b") == before


def test_a_third_version_is_compared_with_the_first() -> None:
    app = in_turn(open_page("prompt_lab"))
    app.segmented_control(key="prompt_lab.count").set_value(3).run()
    run_and_look(edit(app, "c", MINE), "prompt_lab.start")
    assert not app.exception
    assert list(runs(app)) == ["a", "b", "c"]
    assert len(outcome_sentences(app)) == 2
    assert text("prompt_lab.differs", after="Version C", before="Version A") in words(app)


def test_a_version_that_is_not_shown_is_not_run() -> None:
    app = set_up(EXPERIMENT["examples"])
    app.segmented_control(key="prompt_lab.count").set_value(2).run()
    run_and_look(app, "prompt_lab.start")
    assert list(runs(app)) == ["a", "b"]


def test_prompts_of_the_lab_are_not_those_of_the_page_and_outlive_a_visit_elsewhere() -> None:
    app = edit(edit(open_page("prompt_lab"), "a", "FIRST {question}"), "b", MINE)
    app.toggle(key="prompt_lab.react.b.closes").set_value(False).run()
    app.text_input(key="prompt_lab.hypothesis").set_value("It will fail.").run()
    visit(app, "react")
    assert app.text_area(key="prompt.react.react.en").value == load_template("react", "react", "default", "en")
    visit(visit(app, "compare"), "prompt_lab")
    assert (box(app, "a"), box(app, "b")) == ("FIRST {question}", MINE)
    assert settings_of(app, "react", "b")["closes"] is False
    assert app.text_input(key="prompt_lab.hypothesis").value == "It will fail."


def test_prompts_of_the_page_are_not_those_of_the_lab() -> None:
    app = open_page("react")
    app.text_area(key="prompt.react.react.en").set_value(MINE).run()
    assert box(visit(app, "prompt_lab"), "a") == load_template("react", "react", "default", "en")


def test_each_language_keeps_its_own_texts() -> None:
    app = switch_language(edit(open_page("prompt_lab"), "b", MINE), "zh")
    assert box(app, "b", "zh") == load_template("react", "react", "default", "zh")
    edit(app, "b", "我的 {question} {tools}", "zh")
    assert box(switch_language(app, "en"), "b") == MINE
    assert box(switch_language(app, "zh"), "b", "zh") == "我的 {question} {tools}"


def test_an_experiment_stays_set_up_in_the_other_language() -> None:
    app = switch_language(set_up(EXPERIMENT["thoughts"]), "zh")
    assert box(app, "b", "zh") == load_template("react", "react", "act_only", "zh")
    assert text("prompt_lab.about_thoughts", "zh") in words(app)


def test_each_paradigm_keeps_its_own_versions() -> None:
    app = choose(edit(open_page("prompt_lab"), "b", MINE), "reflection")
    assert not app.exception
    assert app.text_area(key="prompt.reflection.b.writer.en").value == load_template(
        "reflection", "writer", "default", "en"
    )
    assert box(choose(app, "react"), "b") == MINE


# What comes of it


def test_the_hypothesis_stands_with_the_result_as_it_was_when_the_run_began() -> None:
    app = open_page("prompt_lab")
    app.text_input(key="prompt_lab.hypothesis").set_value("B needs fewer tokens").run()
    run_and_look(app, "prompt_lab.start")
    expected = f"**{text('prompt_lab.you_expected')}** B needs fewer tokens"
    assert [info.value for info in app.info] == [expected]
    app.text_input(key="prompt_lab.hypothesis").set_value("I knew it").run()
    assert [info.value for info in app.info] == [expected]


def test_without_a_hypothesis_nothing_is_said_to_be_expected() -> None:
    assert not run_and_look(open_page("prompt_lab"), "prompt_lab.start").info


def test_versions_that_do_not_differ_are_run_all_the_same() -> None:
    app = run_and_look(open_page("prompt_lab"), "prompt_lab.start")
    assert words(app).count(text("prompt_lab.no_difference")) == 2
    assert len(runs(app)) == 2


@in_both_languages
def test_several_runs_are_compared_by_medians(lang: Language) -> None:
    app = open_page("prompt_lab", lang=lang)
    app.number_input(key="prompt_lab.times").set_value(2).run()
    run_and_look(click(app, "prompt_lab.ablation.thoughts"), "prompt_lab.start")
    assert not app.exception
    assert len(compared(app).runs) == 4
    assert text("outcome.medians", lang, figures="") in outcome_sentences(app)[0]


def test_the_expected_answer_marks_versions_right_and_wrong(app_server: SSEServer) -> None:
    app_server.answer(*answering("Action: Finish[42]", "Action: Finish[41]"))
    app = in_turn(open_page("prompt_lab"))
    app.text_input(key="prompt_lab.expected").set_value("42").run()
    run_and_look(app, "prompt_lab.start")
    assert text("outcome.only_right", name="Version A") in outcome_sentences(app)[0]
    assert ["Right", "right", "wrong", "right → wrong"] in app.table[0].value.to_numpy().tolist()


def test_a_reflection_with_an_expected_answer_counts_its_flips(app_server: SSEServer) -> None:
    revise = "Count again.\nVerdict: REVISE"
    app_server.answer(*answering("41", revise, "42", APPROVED, "42", revise, "41", APPROVED))
    app = in_turn(choose(open_page("prompt_lab"), "reflection"))
    app.text_input(key="prompt_lab.expected").set_value("42").run()
    run_and_look(app, "prompt_lab.start")
    assert text("prompt_lab.flips") in words(app)
    flips = app.dataframe[0].value
    mended, spoilt = text("rounds.wrong_to_right"), text("rounds.right_to_wrong")
    assert flips[mended].tolist() == [1, 0]
    assert flips[spoilt].tolist() == [0, 1]


@pytest.mark.parametrize(("agent", "expected"), [("react", "42"), ("reflection", "")])
def test_flips_are_counted_for_reflection_with_an_expected_answer_alone(agent: str, expected: str) -> None:
    app = choose(open_page("prompt_lab"), agent)
    app.text_area(key="prompt_lab.question").set_value("What is 6 times 7?").run()
    app.text_input(key="prompt_lab.expected").set_value(expected).run()
    run_and_look(app, "prompt_lab.start")
    assert text("prompt_lab.flips") not in words(app)


def test_the_outcome_follows_the_language() -> None:
    app = switch_language(run_and_look(set_up(EXPERIMENT["reviewer"]), "prompt_lab.start"), "zh")
    assert not app.exception
    assert text("prompt_lab.version_b", "zh") in outcome_sentences(app)[0]


def test_a_result_stays_what_it_was_when_the_versions_are_changed_later() -> None:
    app = run_and_look(set_up(EXPERIMENT["stop"]), "prompt_lab.start")
    before = outcome_sentences(app)
    edit(app, "b", MINE)
    assert outcome_sentences(app) == before
    assert f"- {text('summary.setting_sends_stop')}: on → off" in words(app)
    assert runs(app)["b"].started == compared(app).lanes["b"].agent("en").start(compared(app).jobs[1].question)


def test_a_version_opens_on_its_page_with_everything_that_was_set() -> None:
    app = click(run_and_look(set_up(EXPERIMENT["tools"]), "prompt_lab.start"), "prompt_lab.open.b")
    assert not app.exception
    assert app.session_state["react.run"].run == runs(app)["b"]
    assert app.session_state["react.tools"] == []
    assert app.text_area(key="prompt.react.react.en").value == load_template("react", "react", "reason_only", "en")


def test_an_experiment_that_is_stopped_at_its_very_beginning_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("components.prompt_lab.ComparisonRun.start", stop_then_start)
    app = run_and_look(open_page("prompt_lab"), "prompt_lab.start")
    assert not app.exception
    assert len(outcome_sentences(app)) == 1


def test_a_stopped_version_that_never_began_is_not_said_to_be_still_running(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("components.prompt_lab.ComparisonRun.start", stop_then_start)
    app = run_and_look(open_page("prompt_lab"), "prompt_lab.start")
    assert text("outcome.nothing_yet", names="Version A, Version B") not in outcome_sentences(app)[0]


def test_a_lane_that_fails_says_why_and_the_other_goes_on(app_server: SSEServer) -> None:
    app_server.answer(*answering("", "", FIVE))
    app = run_and_look(in_turn(open_page("prompt_lab")), "prompt_lab.start")
    assert not app.exception
    assert len(runs(app)) == 2
    assert len(outcome_sentences(app)) == 1


# What is missing or wrong


@in_both_languages
def test_an_empty_question_gets_a_sentence(lang: Language) -> None:
    app = open_page("prompt_lab", lang=lang)
    app.text_area(key="prompt_lab.question").set_value("  ").run()
    click(app, "prompt_lab.start")
    assert [error.value for error in app.error] == [text("page.no_question", lang)]
    assert "prompt_lab.run" not in app.session_state


@in_both_languages
def test_a_malformed_expected_pattern_gets_a_sentence(lang: Language) -> None:
    app = open_page("prompt_lab", lang=lang)
    app.text_input(key="prompt_lab.expected").set_value("/(/").run()
    click(app, "prompt_lab.start")
    assert len(app.error) == 1
    assert "prompt_lab.run" not in app.session_state


def test_a_model_that_is_not_set_gets_a_sentence() -> None:
    app = open_page("prompt_lab")
    app.session_state["model.source"] = "own"
    click(app.run(), "prompt_lab.start")
    assert not app.exception
    assert len(app.error) == 1
    assert "prompt_lab.run" not in app.session_state


def test_the_sentence_goes_once_the_question_is_there() -> None:
    app = open_page("prompt_lab")
    app.text_area(key="prompt_lab.question").set_value("").run()
    click(app, "prompt_lab.start")
    app.text_area(key="prompt_lab.question").set_value("What is 6 times 7?").run()
    run_and_look(app, "prompt_lab.start")
    assert not app.error


def test_runs_that_end_while_the_page_is_drawn_leave_it_ready(
    app_server: SSEServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("components.prompt_lab.draw_order", wait_for_the_runs)
    app_server.answer(Answer(header_delay=0.5, chunks=[text_chunk(FIVE)]), *answering(FIVE))
    app = click(open_page("prompt_lab"), "prompt_lab.start")
    assert not app.button(key="prompt_lab.start").disabled
    assert "prompt_lab.a.what_if.1" in buttons(app)


@pytest.mark.parametrize("agent", PAGES)
@in_both_languages
def test_every_paradigm_has_its_experiments_and_editors(agent: str, lang: Language) -> None:
    app = choose(open_page("prompt_lab", lang=lang), agent)
    assert not app.exception
    assert {f"prompt_lab.ablation.{name}" for name, each in EXPERIMENT.items() if each.agent == agent} == {
        key for key in buttons(app) if key.startswith("prompt_lab.ablation.")
    }
    assert text("prompt_lab.edit", lang) in labels(app)
    assert [box.key for box in app.text_area if box.key and box.key.startswith("prompt.")] == [
        f"prompt.{agent}.{version}.{next(iter(ROLES[agent]))}.{lang}" for version in "ab"
    ]
