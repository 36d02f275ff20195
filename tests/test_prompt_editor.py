"""The prompt editor, as a person uses it."""

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from agents import wording
from agents.prompts import ROLES, load_template, variants
from components.session_templates import SessionTemplate

WORDS = wording.load("components.texts", "prompt_editor")
BOX = "prompt.react.react.en"


def script() -> None:
    import streamlit as st

    from components.prompt_editor import draw_prompt_editor, edited_roles, templates, variant_label

    agent = st.session_state.get("agent", "react")
    if st.session_state.get("is_shown", True):
        with st.sidebar:
            draw_prompt_editor(agent, {"question": "How tall?", "tools": "Search"})
    st.session_state["seen"] = (templates(agent), edited_roles(agent) > 0, variant_label(agent))
    st.button("Run", key="run", on_click=lambda: st.session_state.update(ran=templates(agent)))


def app(**state: object) -> AppTest:
    test = AppTest.from_function(script)
    for key, value in state.items():
        test.session_state[key] = value
    return checked(test.run())


def checked(test: AppTest) -> AppTest:
    assert not test.exception
    return test


def typed(text: str) -> AppTest:
    return checked(app().text_area(key=BOX).set_value(text).run())


def click(test: AppTest, key: str) -> AppTest:
    return checked(test.button(key=key).click().run())


def seen(test: AppTest) -> tuple[dict[str, str], bool, str]:
    found: tuple[dict[str, str], bool, str] = test.session_state["seen"]
    return found


def pick(test: AppTest, variant: str) -> AppTest:
    return checked(test.selectbox(key=f"{BOX}.variant").set_value(variant).run())


def upload(test: AppTest, content: dict[str, Any], count: int = 0) -> AppTest:
    file = ("prompts.json", json.dumps(content).encode(), "application/json")
    return checked(test.file_uploader(key=f"prompt.react.upload.{count}").set_value(file).run())


def test_begins_with_the_default() -> None:
    templates, edited, label = seen(app())
    assert templates["react"] == load_template("react", "react")
    assert (edited, label) == (False, "Default")


def test_what_is_typed_is_what_runs() -> None:
    test = app()
    test.text_area(key=BOX).set_value("mine {question} {tools}")
    click(test, "run")
    assert test.session_state["ran"]["react"] == "mine {question} {tools}"
    assert seen(test)[1:] == (True, "edited")


def test_says_in_its_title_how_many_are_edited() -> None:
    assert [expander.label for expander in typed("{question} {tools} x").expander] == ["**Prompts** · 1 edited"]


def test_resets() -> None:
    test = click(typed("mine"), f"{BOX}.reset")
    assert test.text_area(key=BOX).value == load_template("react", "react")
    assert seen(test)[1:] == (False, "Default")


def test_a_variant_replaces_the_text() -> None:
    test = pick(app(), "few_shot")
    assert test.text_area(key=BOX).value == load_template("react", "react", "few_shot")
    assert seen(test)[1:] == (False, "Three examples instead of rules")


def test_what_was_written_comes_back_after_a_variant() -> None:
    test = pick(typed("mine {question} {tools}"), "few_shot")
    assert pick(test, "own").text_area(key=BOX).value == "mine {question} {tools}"


def test_a_text_that_was_typed_like_the_default_is_the_default() -> None:
    assert seen(typed(load_template("react", "react").replace("\n", "\r\n")))[1:] == (False, "Default")


def test_a_misspelt_placeholder_is_named_and_mended_by_one_click() -> None:
    test = typed("{Question} {tools}")
    assert (
        test.warning[0].value
        == "The model will not see the question. Did you mean `{question}` instead of `{Question}`?"
    )
    click(test, f"{BOX}.mend.question")
    assert test.text_area(key=BOX).value == "{question} {tools}"
    assert not test.warning


def test_a_missing_placeholder_is_named_and_added_by_one_click() -> None:
    test = typed("Use {tools}.")
    assert test.warning[0].value == "The model will not see the question: `{question}` is missing."
    assert click(test, f"{BOX}.mend.question").text_area(key=BOX).value == "Use {tools}.\n\n{question}"


def test_mends_the_text_as_it_is_at_the_click() -> None:
    test = typed("{tools}")
    test.text_area(key=BOX).set_value("{tools} and more")
    assert click(test, f"{BOX}.mend.question").text_area(key=BOX).value == "{tools} and more\n\n{question}"


def test_a_prompt_with_faults_is_marked_where_the_editor_is_folded() -> None:
    assert typed("{tools}").expander[0].label.endswith(":orange[:material/warning:]")


def test_an_empty_prompt_is_said_to_be_empty() -> None:
    assert "empty" in typed(" ").warning[0].value


def test_an_unknown_placeholder_is_sent_as_written() -> None:
    test = typed("{question} {tools} {mood}")
    assert any("`{mood}`" in caption.value for caption in test.caption)


def test_previews_the_prompt_as_it_is_sent() -> None:
    assert typed("Q: {question} {{x}} {tools}").code[0].value == "Q: How tall? {x} Search"


def test_says_what_is_filled_in_only_later() -> None:
    assert any("`{trajectory}`" in caption.value for caption in typed("{question}{tools}{trajectory}").caption)


def test_edits_survive_while_the_editor_is_not_drawn() -> None:
    test = typed("mine {question} {tools}")
    test.session_state["is_shown"] = False
    test.run().run()
    assert seen(test)[0]["react"] == "mine {question} {tools}"
    test.session_state["is_shown"] = True
    assert checked(test.run()).text_area(key=BOX).value == "mine {question} {tools}"


def test_edits_belong_to_their_language() -> None:
    test = typed("mine {question} {tools}")
    test.session_state["language"] = "zh"
    assert seen(checked(test.run()))[0]["react"] == load_template("react", "react", language="zh")
    test.session_state["language"] = "en"
    assert seen(checked(test.run()))[0]["react"] == "mine {question} {tools}"


def test_each_role_has_its_own_text() -> None:
    test = checked(app(agent="reflection").button_group(key="prompt.reflection.role").set_value("reviewer").run())
    test.text_area(key="prompt.reflection.reviewer.en").set_value("Praise {question} {draft}").run()
    templates, edited, _ = seen(checked(test))
    assert templates["reviewer"] == "Praise {question} {draft}"
    assert templates["writer"] == load_template("reflection", "writer")
    assert edited


def test_the_large_editor_edits_the_same_template() -> None:
    test = click(app(), f"{BOX}.enlarge")
    test.text_area(key=BOX).set_value("large {question} {tools}")
    click(test, "run")
    assert test.session_state["ran"]["react"] == "large {question} {tools}"
    assert click(test, f"{BOX}.done").text_area(key=BOX).value == "large {question} {tools}"


def test_loads_templates_from_a_file() -> None:
    templates = {"react": "a\r\n{question} {tools}", "closing": "End."}
    test = upload(app(), {"version": 1, "agent": "react", "language": "en", "templates": templates})
    assert test.text_area(key=BOX).value == "a\n{question} {tools}"
    assert seen(test)[0]["closing"] == "End."
    assert test.success[0].value == "Prompts loaded: 2 (English)."


def test_a_file_of_another_language_goes_to_that_language() -> None:
    templates = {"react": "{question} {tools} 好"}
    test = upload(app(), {"version": 1, "agent": "react", "language": "zh", "templates": templates})
    assert test.text_area(key=BOX).value == load_template("react", "react")
    test.session_state["language"] = "zh"
    assert checked(test.run()).text_area(key="prompt.react.react.zh").value == "{question} {tools} 好"


def test_a_file_for_another_agent_is_refused_whole() -> None:
    templates = {"writer": "x"}
    test = upload(app(), {"version": 1, "agent": "reflection", "language": "en", "templates": templates})
    assert "Reflection" in test.error[0].value
    assert not seen(test)[1]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("agent", ROLES)
def test_is_drawn_for_every_agent_in_both_languages(agent: str, language: str) -> None:
    assert len(app(agent=agent, language=language).text_area) == 1


@pytest.mark.parametrize(("agent", "role"), [(agent, role) for agent, roles in ROLES.items() for role in roles])
def test_every_role_placeholder_and_variant_has_words(agent: str, role: str) -> None:
    placeholders = (*ROLES[agent][role].required, *ROLES[agent][role].optional)
    entries = {f"role_{agent}_{role}", f"about_{agent}_{role}"}
    entries |= {f"{kind}_{name}" for kind in ("placeholder", "sees") for name in placeholders}
    entries |= {f"variant_{name}" for name in variants(agent, role)}
    assert entries <= WORDS.keys()


def test_every_text_is_there_in_both_languages() -> None:
    assert all(entry.keys() == {"en", "zh"} and all(entry.values()) for entry in WORDS.values())


def test_the_key_names_agent_role_and_language() -> None:
    assert SessionTemplate("react", "closing", "zh").key == "prompt.react.closing.zh"
