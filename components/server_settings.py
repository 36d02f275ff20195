"""What the owner of the server has set (environment, `.env`, Streamlit secrets), and whether visitors may use it.

The rule: where the app is reachable from this computer only, its settings are for everyone who opens it. Where other
computers can reach it, they are for visitors only with LLM_SHARE=yes. LLM_SHARE=no keeps them from everyone.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st
from dotenv import dotenv_values
from streamlit.errors import StreamlitSecretNotFoundError

from agents.models import settings
from agents.models.addresses import is_loopback
from agents.models.settings import Configuration, ModelSettings, load_settings

_YES, _NO = ("yes", "true", "1", "on"), ("no", "false", "0", "off")
_NOTHING = Configuration(ModelSettings())


@dataclass(frozen=True)
class ServerSettings:
    """What a visitor may use. `is_withheld`: more is set, but not shared. `problem`: a sentence on what is wrong."""

    configuration: Configuration = _NOTHING
    is_withheld: bool = False
    problem: str = ""


def server_settings() -> ServerSettings:
    """The settings as they are now. Never put them into a widget or the session: they hold the server's keys."""
    environ = {**_secrets(), **os.environ}
    try:
        configuration = load_settings(environ)
        is_shared = _is_shared(environ)
    except ValueError as error:
        return ServerSettings(problem=str(error))
    if is_shared or configuration == _NOTHING:
        return ServerSettings(configuration)
    return ServerSettings(is_withheld=True)


def is_on_this_computer() -> bool:
    """Whether only this very computer can reach the app: by its address, and by the host names that it accepts."""
    address: str = st.get_option("server.address") or "0.0.0.0"
    hosts: list[str] = st.get_option("server.allowedHosts") or ["*"]
    return all(is_loopback(f"http://{name}") for name in (address, *hosts))


def _is_shared(environ: Mapping[str, str]) -> bool:
    written = environ.get("LLM_SHARE") or dotenv_values(settings.ENV_FILE, encoding="utf-8-sig").get("LLM_SHARE") or ""
    answer = written.strip().lower()
    if answer and answer not in (*_YES, *_NO):
        raise ValueError(f"LLM_SHARE is '{written}', but it has to be yes or no.")
    return answer in _YES if answer else is_on_this_computer()


def _secrets() -> dict[str, str]:
    """Streamlit's secrets, which have the names of `.env`; without a secrets file even looking raises an error."""
    try:
        return {name: str(value) for name, value in st.secrets.items() if isinstance(value, str | int | float)}
    except StreamlitSecretNotFoundError:
        return {}
