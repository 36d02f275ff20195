"""A person's own model: an address, a key and a model's name, kept in their session, and the test of a connection."""

from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

import streamlit as st

from agents import wording
from agents.errors import ModelError
from agents.models.addresses import PRESETS, is_loopback, is_web_address, normalize_base_url
from agents.models.openai_chat import OpenAIChat
from components.safe_text import plain
from components.server_settings import is_on_this_computer
from components.texts import language, say

# Shorter than the time after which a run that nobody draws is stopped, so that a test beside a run does not end it.
TEST_SECONDS = 4.0
OTHER = "other"


@dataclass(frozen=True)
class Endpoint:
    """Where a model is reached. `is_servers`: it is the one of the server's settings, and so is its key."""

    base_url: str
    api_key: str = field(default="", repr=False)
    is_servers: bool = False

    def as_remembered(self) -> "Endpoint":
        """What the session may keep of it: all but a key that is the server's."""
        return replace(self, api_key="") if self.is_servers else self


@dataclass(frozen=True)
class ConnectionTest:
    """What came of asking a server for its models. The session keeps it, with `tested` as it may be remembered."""

    tested: Endpoint
    models: tuple[str, ...] = ()
    error: ModelError | None = None


def typed_endpoint() -> Endpoint:
    """What the person typed, the address mended where it is clear what is meant."""
    written: str = st.session_state.get("model.base_url", PRESETS["OpenAI"])
    try:
        base_url = normalize_base_url(written)
    except ValueError:  # such as an open bracket
        base_url = written.strip()
    return Endpoint(base_url, st.session_state.get(_key_name(base_url), "").strip())


def typed_model() -> str:
    """The model's name that the person typed or chose; "" where there is none yet."""
    name: str | None = st.session_state.get("model.listed") if _models_of(typed_endpoint()) else None
    return (name or st.session_state.get("model.name", "")).strip()


def own_model(timeout: float) -> OpenAIChat:
    """The person's own model. Raises ModelError where it is clear before any call that it cannot be reached."""
    endpoint, name = typed_endpoint(), typed_model()
    _check(endpoint)
    if not name:
        raise ModelError("not_configured")
    return OpenAIChat(name, endpoint.base_url, endpoint.api_key, timeout)


def draw_endpoint_form() -> None:
    """Draws the fields for a model of one's own."""
    state = st.session_state
    state.setdefault("model.base_url", PRESETS["OpenAI"])
    endpoint = typed_endpoint()
    state["model.preset"] = next((name for name, url in PRESETS.items() if url == endpoint.base_url), OTHER)
    names = {name: name for name in PRESETS} | {OTHER: say("connection.other")}
    st.selectbox(
        say("connection.preset"),
        list(names),
        format_func=names.__getitem__,
        key="model.preset",
        on_change=_fill_base_url,
    )
    st.text_input(
        say("connection.base_url"), key="model.base_url", persist_state="session", help=say("connection.base_url_help")
    )
    if endpoint.base_url and endpoint.base_url != state["model.base_url"].strip():
        st.caption(say("connection.mended", {"url": plain(endpoint.base_url)}))
    if is_loopback_address(endpoint.base_url) and not is_on_this_computer():
        st.caption(say("connection.localhost"))
    st.text_input(
        say("connection.key"),
        type="password",
        autocomplete="off",
        key=_key_name(endpoint.base_url),
        persist_state="session",
        help=say("connection.key_help"),
    )
    if endpoint.api_key and endpoint.base_url.startswith("http://") and not is_loopback_address(endpoint.base_url):
        st.caption(say("connection.unencrypted"))
    draw_connection_test(endpoint)
    _draw_model_name(_models_of(endpoint))


def draw_connection_test(endpoint: Endpoint) -> None:
    """Draws the button that lists the server's models, and what came of it until the address or the key changes."""
    if st.button(say("connection.test"), key="model.test_button", icon=":material/network_check:", width="stretch"):
        with st.spinner(say("connection.testing")):
            st.session_state["model.test"] = _test(endpoint)
    test = _test_of(endpoint)
    if test is None:
        return
    if test.error is not None and test.error.kind == "timeout":
        st.error(say("connection.no_answer", {"seconds": f"{TEST_SECONDS:g}"}), icon=":material/error:")
    elif test.error is not None:
        message, next_step = wording.describe_error(test.error, language())
        st.error(f"{plain(message)} {plain(next_step)}", icon=":material/error:")
    elif test.models:
        entry = "connected_one" if len(test.models) == 1 else "connected"
        st.success(say(f"connection.{entry}", {"number": str(len(test.models))}), icon=":material/check:")
    else:
        st.success(say("connection.connected_none"), icon=":material/check:")


def is_loopback_address(base_url: str) -> bool:
    """Whether a base URL, which may be nonsense, is that of the computer on which the app runs."""
    return is_web_address(base_url) and is_loopback(base_url)


def _test(endpoint: Endpoint) -> ConnectionTest:
    try:
        _check(endpoint)
        names = OpenAIChat("", endpoint.base_url, endpoint.api_key, TEST_SECONDS).list_models()
    except ModelError as error:
        return ConnectionTest(endpoint.as_remembered(), error=error)
    models = tuple(dict.fromkeys(names))
    if not endpoint.is_servers:
        name: str = st.session_state.get("model.name", "").strip()
        st.session_state["model.listed"] = name or (models[0] if len(models) == 1 else None)
    return ConnectionTest(endpoint.as_remembered(), models)


def _check(endpoint: Endpoint) -> None:
    if not is_web_address(endpoint.base_url):
        raise ModelError("model_or_url" if endpoint.base_url else "not_configured", hint="check_base_url")
    if not all("!" <= character <= "~" for character in endpoint.api_key):
        raise ModelError("bad_key_characters")


def _test_of(endpoint: Endpoint) -> ConnectionTest | None:
    test: ConnectionTest | None = st.session_state.get("model.test")
    return test if test is not None and test.tested == endpoint.as_remembered() else None


def _models_of(endpoint: Endpoint) -> tuple[str, ...]:
    test = _test_of(endpoint)
    return test.models if test else ()


def _draw_model_name(models: tuple[str, ...]) -> None:
    if not models:
        st.text_input(
            say("connection.name"), key="model.name", persist_state="session", help=say("connection.name_help")
        )
        return
    chosen = st.selectbox(
        say("connection.name"),
        models,
        index=None,
        accept_new_options=True,
        key="model.listed",
        persist_state="session",
        placeholder=say("connection.choose_name"),
        help=say("connection.name_help"),
        on_change=_keep_name,
    )
    if chosen and chosen not in models:
        st.caption(say("connection.not_listed"))


def _keep_name() -> None:
    """The chosen name stands in the text field as well, once there is no list any more."""
    st.session_state["model.name"] = st.session_state["model.listed"] or ""


def _fill_base_url() -> None:
    st.session_state["model.base_url"] = PRESETS.get(st.session_state["model.preset"], "")


def _key_name(base_url: str) -> str:
    """Each server has a key field of its own, so that a key typed for one is never sent to another."""
    parts = urlsplit(base_url) if is_web_address(base_url) else None
    return f"model.key.{parts.scheme}://{parts.netloc}" if parts else "model.key."
