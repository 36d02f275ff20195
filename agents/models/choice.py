"""Which model a person gets: the one they name, the one of the settings, or the demo model."""

from agents.base import Model
from agents.errors import ModelError
from agents.models.addresses import PRESETS, normalize_base_url
from agents.models.demo import DEMO_NAME, DemoModel
from agents.models.openai_chat import OpenAIChat
from agents.models.settings import ModelSettings


def choose_model(settings: ModelSettings, name: str | None = None, base_url: str | None = None) -> Model:
    """The model with this name at this base URL; what is not given comes from the settings.

    Where nothing is set at all, it is the demo model. A server that is named without a model is asked for its first.
    The key of the settings goes to the base URL of the settings only. Raises ModelError where no server answers.
    """
    if name == DEMO_NAME or not (name or base_url or settings.is_configured):
        return DemoModel()
    own_url = settings.base_url or PRESETS["OpenAI"]
    url = normalize_base_url(base_url) if base_url else own_url
    key = settings.api_key if url == own_url else ""
    model = name or (settings.model if url == own_url else "")
    return OpenAIChat(model or first_model(url, key, settings.timeout), url, key, settings.timeout)


def first_model(base_url: str, api_key: str, timeout: float) -> str:
    """The first model that the server lists. Raises ModelError("not_configured") where it lists none."""
    models = OpenAIChat("", base_url, api_key, timeout).list_models()
    if not models:
        raise ModelError("not_configured")
    return models[0]
