"""The settings that the owner of the machine writes into `.env` or the environment.

Nothing is written back into the environment: what is read here goes only to those who are handed it.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from dotenv import dotenv_values

from agents.models.addresses import PRESETS, normalize_base_url

DEFAULT_TIMEOUT = 60.0
ENV_FILE = Path(__file__).parents[2] / ".env"

# What stands in .env.example and in the examples of others where a value of one's own belongs.
_PLACEHOLDER = re.compile(
    r"your[-_ ].*|<.*>|\[.*\]|(sk-)?(x{3,}|\.{3,}|…)|change[-_]?me|todo|none|null|填.*|你的.*", re.IGNORECASE
)


@dataclass(frozen=True)
class ModelSettings:
    """How to reach a model. `timeout` is in seconds for a whole call. The key may be empty for a local server.

    `model` may be empty too: a local server that has one model loaded does not ask for its name.
    """

    api_key: str = field(default="", repr=False)
    model: str = ""
    base_url: str = ""
    timeout: float = DEFAULT_TIMEOUT

    @property
    def is_configured(self) -> bool:
        """Whether there is enough to reach a model: its name or an address. Otherwise the demo model is used."""
        return bool(self.model or self.base_url)


@dataclass(frozen=True)
class Configuration:
    """All that can be set from outside: the model, and the SerpApi key for searching ("" without one)."""

    model: ModelSettings
    search_key: str = field(default="", repr=False)


def load_settings(environ: Mapping[str, str] | None = None, env_file: Path | None = None) -> Configuration:
    """The settings of the environment and of `.env`; where both have a value, the environment's counts.

    Empty values and the placeholders of `.env.example` count as not set. A model without a base URL is OpenAI's.
    Raises ValueError, with a sentence for a person, where LLM_TIMEOUT is no number of seconds or the file is no text.
    """
    environ = os.environ if environ is None else environ
    path = env_file or ENV_FILE
    try:
        written = dotenv_values(path, interpolate=False, encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path.name} is not UTF-8 text. Save it again as UTF-8.") from error

    def value(name: str) -> str:
        for source in (environ, written):
            text = (source.get(name) or "").strip()
            if text and not _PLACEHOLDER.fullmatch(text):
                return text
        return ""

    model, base_url = value("LLM_MODEL_ID"), normalize_base_url(value("LLM_BASE_URL"))
    if model and not base_url:
        base_url = PRESETS["OpenAI"]
    settings = ModelSettings(value("LLM_API_KEY"), model, base_url, _seconds(value("LLM_TIMEOUT")))
    return Configuration(settings, value("SERPAPI_API_KEY"))


def _seconds(text: str) -> float:
    try:
        seconds = float(text or DEFAULT_TIMEOUT)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise ValueError(f"LLM_TIMEOUT is '{text}', but it has to be a number of seconds above 0, such as 60.")
    return seconds
