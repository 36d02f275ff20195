"""Which model the session uses: the demo model, that of the server, or one at the person's own address.

What a person types lives in their session alone. The server's key is handed to the model and to nothing else: it is
in nothing that is drawn, recorded or saved (`server_settings` says who may use it).
"""

from typing import Literal
from urllib.parse import urlsplit

import streamlit as st

from agents.base import Model
from agents.models.choice import choose_model, first_model
from agents.models.demo import DemoModel
from agents.models.settings import DEFAULT_TIMEOUT, ModelSettings
from components.endpoint import TEST_SECONDS, Endpoint, draw_connection_test, draw_endpoint_form, own_model, typed_model
from components.safe_text import plain
from components.server_settings import ServerSettings, server_settings
from components.texts import say

Source = Literal["demo", "server", "own"]


def draw_model_panel() -> None:
    """Draws the choice of the model, folded under a line that names the present one."""
    label = f"**{say('connection.model')}**: {plain(model_label())}"
    with st.expander(label, icon=":material/smart_toy:", type="compact", key="model.panel"):
        server = server_settings()
        st.session_state["model.source"] = _chosen_source(server)
        names = {source: say(f"connection.{source}") for source in _sources(server)}
        source: Source = st.radio(
            say("connection.source"),
            list(names),
            format_func=names.__getitem__,
            captions=[say(f"connection.{source}_about") for source in names],
            key="model.source",
            persist_state="session",
            label_visibility="collapsed",
        )
        if source == "server":
            _draw_server(server.configuration.model)
        elif source == "own":
            draw_endpoint_form()
        if server.is_withheld:
            st.caption(say("connection.withheld"))
        if server.problem:
            st.warning(say("connection.problem", {"problem": plain(server.problem)}), icon=":material/warning:")


def is_demo() -> bool:
    """Whether the person has chosen the demo model."""
    return _chosen_source(server_settings()) == "demo"


def chosen_model() -> Model:
    """The model that the person chose. Raises ModelError where something is missing or cannot be right."""
    server = server_settings()
    settings = server.configuration.model
    match _chosen_source(server):
        case "demo":
            return DemoModel()
        case "server":
            return choose_model(settings, settings.model or first_model(*_reach(settings), TEST_SECONDS))
        case "own":
            return own_model(settings.timeout if settings.is_configured else DEFAULT_TIMEOUT)


def model_label() -> str:
    """The chosen model's name for people, as plain text."""
    server = server_settings()
    match _chosen_source(server):
        case "demo":
            return say("connection.demo")
        case "server":
            return server.configuration.model.model or _host(server.configuration.model.base_url)
        case "own":
            return typed_model() or say("connection.not_set")


def _sources(server: ServerSettings) -> list[Source]:
    return ["server", "demo", "own"] if server.configuration.model.is_configured else ["demo", "own"]


def _chosen_source(server: ServerSettings) -> Source:
    """What the person chose, as long as it is offered; else the server's model, or the demo model."""
    sources = _sources(server)
    chosen: Source = st.session_state.get("model.source", sources[0])
    return chosen if chosen in sources else sources[0]


def _draw_server(settings: ModelSettings) -> None:
    values = {"model": plain(settings.model or say("connection.first_model")), "host": plain(_host(settings.base_url))}
    st.caption(say("connection.server_model", values))
    draw_connection_test(Endpoint(*_reach(settings), is_servers=True))


def _reach(settings: ModelSettings) -> tuple[str, str]:
    return settings.base_url, settings.api_key


def _host(base_url: str) -> str:
    """The address's host and port, without a name and password that may stand before it."""
    return urlsplit(base_url).netloc.rpartition("@")[2]
