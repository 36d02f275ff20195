"""The choice of the model, as a person makes it; keys stay where they belong."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from agents import wording
from agents.models import settings
from components import endpoint
from tests.sse_server import Answer, SSEServer

SERVER_KEY = "sk-SERVER-0123456789"
OPEN_TO_ALL = {"server.address": "0.0.0.0", "server.allowedHosts": ["localhost", "class.example"]}


def script() -> None:
    import streamlit as st

    from agents.errors import ModelError
    from components.connection import chosen_model, draw_model_panel, model_label

    if st.session_state.get("is_shown", True):
        with st.sidebar:
            draw_model_panel()
    try:
        st.session_state["chosen"] = chosen_model()
    except ModelError as error:
        st.session_state["chosen"] = error.kind
    st.session_state["label"] = model_label()


@pytest.fixture(autouse=True)
def nothing_is_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("LLM_API_KEY", "LLM_MODEL_ID", "LLM_BASE_URL", "LLM_TIMEOUT", "LLM_SHARE", "SERPAPI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(settings, "ENV_FILE", tmp_path / ".env")
    serve_at(monkeypatch, {"server.address": "127.0.0.1", "server.allowedHosts": ["localhost", "127.0.0.1"]})


@pytest.fixture
def server() -> Iterator[SSEServer]:
    with SSEServer() as running:
        yield running


def serve_at(monkeypatch: pytest.MonkeyPatch, options: dict[str, Any]) -> None:
    monkeypatch.setattr(st, "get_option", options.__getitem__)


def set_model(monkeypatch: pytest.MonkeyPatch, base_url: str = "http://127.0.0.1:9/v1", **more: str) -> None:
    values = {"LLM_API_KEY": SERVER_KEY, "LLM_MODEL_ID": "server-model", "LLM_BASE_URL": base_url} | more
    for name, value in values.items():
        monkeypatch.setenv(name, value)


def app(**state: object) -> AppTest:
    test = AppTest.from_function(script, default_timeout=20)
    for key, value in state.items():
        test.session_state[key] = value
    return checked(test.run())


def checked(test: AppTest) -> AppTest:
    assert not test.exception
    return test


def own(base_url: str, key: str = "") -> AppTest:
    test = checked(app().radio(key="model.source").set_value("own").run())
    test = checked(test.text_input(key="model.base_url").set_value(base_url).run())
    return checked(key_field(test).set_value(key).run()) if key else test


def key_field(test: AppTest) -> Any:
    return next(field for field in test.text_input if str(field.key).startswith("model.key."))


def press_test(test: AppTest) -> AppTest:
    return checked(test.button(key="model.test_button").click().run())


def everything_sent(test: AppTest) -> str:
    """All that the browser gets."""
    return f"{test.main!r} {test.sidebar!r}"


def test_the_demo_model_is_the_default_and_no_secrets_file_is_needed() -> None:
    test = app()
    assert test.session_state["chosen"].name == "demo"
    assert test.radio(key="model.source").options == ["Demo model", "My own model"]
    assert test.expander[0].label == "**Model**: Demo model"


def test_the_server_s_model_is_the_default_where_one_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    set_model(monkeypatch)
    test = app()
    assert test.session_state["chosen"].name == "server-model"
    assert test.session_state["label"] == "server-model"


def test_secrets_have_the_names_of_the_environment() -> None:
    test = AppTest.from_function(script)
    test.secrets["LLM_MODEL_ID"] = "from-secrets"
    test.secrets["LLM_TIMEOUT"] = 90
    test.run()
    assert test.session_state["chosen"].name == "from-secrets"
    assert test.session_state["chosen"].timeout == 90


def test_the_demo_model_can_be_chosen_beside_the_server_s(monkeypatch: pytest.MonkeyPatch) -> None:
    set_model(monkeypatch)
    assert app().radio(key="model.source").set_value("demo").run().session_state["chosen"].name == "demo"


def test_the_server_s_key_is_never_shown(monkeypatch: pytest.MonkeyPatch, server: SSEServer) -> None:
    set_model(monkeypatch, server.url)
    server.answer(Answer(status=401, content_type="application/json", body=f'{{"error": "no: {SERVER_KEY}"}}'))
    test = press_test(app())
    assert test.error
    assert server.exchanges[0].headers["authorization"] == f"Bearer {SERVER_KEY}"
    assert SERVER_KEY not in everything_sent(test)
    assert test.session_state["model.test"].tested.api_key == ""


def test_the_server_s_key_does_not_go_to_a_person_s_address(monkeypatch: pytest.MonkeyPatch, server: SSEServer) -> None:
    set_model(monkeypatch, server.url)
    press_test(own(server.url))
    assert SERVER_KEY not in server.exchanges[0].headers["authorization"]


def test_a_server_open_to_others_does_not_lend_its_model(monkeypatch: pytest.MonkeyPatch) -> None:
    set_model(monkeypatch)
    serve_at(monkeypatch, OPEN_TO_ALL)
    test = app(**{"model.source": "server"})
    assert test.session_state["chosen"].name == "demo"
    assert any("LLM_SHARE=yes" in caption.value for caption in test.caption)


def test_a_host_name_that_is_let_in_makes_it_open_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    set_model(monkeypatch)
    serve_at(monkeypatch, OPEN_TO_ALL | {"server.address": "127.0.0.1"})
    assert app().session_state["chosen"].name == "demo"


def test_its_owner_can_share_it(monkeypatch: pytest.MonkeyPatch) -> None:
    set_model(monkeypatch, LLM_SHARE="Yes")
    serve_at(monkeypatch, OPEN_TO_ALL)
    assert app().session_state["chosen"].name == "server-model"


def test_its_owner_can_keep_it_from_everyone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    set_model(monkeypatch)
    (tmp_path / ".env").write_text("LLM_SHARE=no")
    assert app().session_state["chosen"].name == "demo"


@pytest.mark.parametrize(("name", "value"), [("LLM_TIMEOUT", "soon"), ("LLM_SHARE", "maybe")])
def test_settings_that_cannot_be_read_are_named(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    set_model(monkeypatch, **{name: value})
    test = app()
    assert "soon" in test.warning[0].value or "maybe" in test.warning[0].value
    assert test.session_state["chosen"].name == "demo"


def test_a_server_without_a_model_s_name_is_asked_for_its_first(
    monkeypatch: pytest.MonkeyPatch, server: SSEServer
) -> None:
    set_model(monkeypatch, server.url, LLM_MODEL_ID="")
    assert app().session_state["chosen"].name == "sim-r50-n200"


def test_a_model_of_one_s_own_needs_a_name() -> None:
    assert own("http://127.0.0.1:9").session_state["chosen"] == "not_configured"


def test_a_typed_model_is_used_with_the_typed_key(server: SSEServer) -> None:
    test = own(server.url, "sk-mine")
    test.text_input(key="model.name").set_value("my-model").run()
    assert test.session_state["chosen"].name == "my-model"
    assert test.session_state["chosen"].base_url == server.url
    assert test.session_state["label"] == "my-model"


def test_a_key_that_cannot_be_sent_is_named_before_any_call(server: SSEServer) -> None:
    test = own(server.url, "“sk-mine”")
    test.text_input(key="model.name").set_value("my-model").run()
    assert test.session_state["chosen"] == "bad_key_characters"
    assert not server.exchanges


@pytest.mark.parametrize("address", ["http://[", "ftp://example.com", "http://host:port/v1"])
def test_an_address_that_is_none_is_named(address: str) -> None:
    test = own(address)
    assert test.session_state["chosen"] == "model_or_url"
    assert "address" in press_test(test).error[0].value


def test_a_provider_fills_the_address() -> None:
    test = own("")
    assert test.selectbox(key="model.preset").value == "other"
    test.selectbox(key="model.preset").set_value("Ollama").run()
    assert test.text_input(key="model.base_url").value == "http://localhost:11434/v1"


def test_says_where_requests_go_when_the_address_is_mended() -> None:
    captions = [caption.value for caption in own("localhost:1234").caption]
    assert any("localhost" in caption and "/v1" in caption for caption in captions)


def test_testing_lists_the_models_to_choose_from(server: SSEServer) -> None:
    test = press_test(own(server.url, "sk-mine"))
    assert test.success[0].value == "Connected: 2 models."
    test.selectbox(key="model.listed").set_value("sim-r20-n60-t2").run()
    assert test.session_state["chosen"].name == "sim-r20-n60-t2"


def test_the_only_model_is_chosen(server: SSEServer) -> None:
    server.answer(Answer(content_type="application/json", body='{"data": [{"id": "the-one"}]}'))
    assert press_test(own(server.url)).session_state["chosen"].name == "the-one"


def test_a_typed_name_outlives_the_test(server: SSEServer) -> None:
    test = own(server.url)
    test.text_input(key="model.name").set_value("my-model").run()
    test = press_test(test)
    assert test.session_state["chosen"].name == "my-model"
    assert any("not in the server's list" in caption.value for caption in test.caption)


def test_the_result_stays_until_the_key_changes(server: SSEServer) -> None:
    test = press_test(own(server.url, "sk-mine"))
    assert test.run().success
    assert not key_field(test).set_value("sk-other").run().success


def test_a_chosen_name_is_kept_when_the_list_is_forgotten(server: SSEServer) -> None:
    test = press_test(own(server.url, "sk-mine"))
    test.selectbox(key="model.listed").set_value("sim-r20-n60-t2").run()
    key_field(test).set_value("sk-other").run()
    assert test.text_input(key="model.name").value == "sim-r20-n60-t2"
    assert test.session_state["chosen"].name == "sim-r20-n60-t2"


def test_says_what_is_wrong_in_the_person_s_language(server: SSEServer) -> None:
    server.answer(
        Answer(status=401, content_type="application/json", body='{"error": {"message": "![x](http://a/b)"}}')
    )
    test = press_test(own(server.url, "sk-bad"))
    assert test.error[0].value.startswith("The server does not accept the key.")
    assert "![" not in test.error[0].value  # a picture would be fetched
    test.session_state["language"] = "zh"
    assert test.run().error[0].value.startswith("服务器不接受这个密钥")


def test_a_silent_server_is_not_waited_for(monkeypatch: pytest.MonkeyPatch, server: SSEServer) -> None:
    monkeypatch.setattr(endpoint, "TEST_SECONDS", 0.2)
    server.answer(Answer(header_delay=60))
    assert "did not answer" in press_test(own(server.url)).error[0].value


def test_a_key_stays_with_its_server() -> None:
    test = own("https://one.example/v1", "sk-one")
    test.text_input(key="model.base_url").set_value("https://two.example/v1").run()
    assert key_field(test).value == ""
    test.text_input(key="model.base_url").set_value("https://one.example/other/v1").run()
    assert key_field(test).value == "sk-one"


def test_what_is_typed_outlives_its_page(server: SSEServer) -> None:
    test = own(server.url, "sk-mine")
    test.text_input(key="model.name").set_value("my-model").run()
    test.session_state["is_shown"] = False
    assert test.run().run().session_state["chosen"].name == "my-model"
    test.session_state["is_shown"] = True
    assert key_field(test.run()).value == "sk-mine"


def test_one_session_does_not_see_the_key_of_another(server: SSEServer) -> None:
    press_test(own(server.url, "sk-alice-0123456789"))
    other = press_test(own(server.url))
    assert "sk-alice" not in everything_sent(other)
    assert "sk-alice" not in server.exchanges[1].headers["authorization"]


def test_warns_of_an_address_without_encryption() -> None:
    captions = [caption.value for caption in own("http://far.example/v1", "sk-mine").caption]
    assert any("not encrypted" in caption for caption in captions)


def test_says_whose_computer_localhost_is_where_others_can_come(monkeypatch: pytest.MonkeyPatch) -> None:
    serve_at(monkeypatch, OPEN_TO_ALL)
    captions = [caption.value for caption in own("http://localhost:11434/v1").caption]
    assert any("may not be yours" in caption for caption in captions)


def test_every_text_is_there_in_both_languages() -> None:
    entries = wording.load("components.texts", "connection").values()
    assert all(entry.keys() == {"en", "zh"} and all(entry.values()) for entry in entries)
