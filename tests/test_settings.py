import os
from pathlib import Path

import pytest

from agents.models.settings import ModelSettings, load_settings

EXAMPLE = Path(__file__).parents[1] / ".env.example"


def written(folder: Path, text: str, encoding: str = "utf-8") -> Path:
    path = folder / ".env"
    path.write_text(text, encoding)
    return path


def test_reads_the_file_and_leaves_the_environment_alone(tmp_path: Path) -> None:
    before = dict(os.environ)
    lines = (
        "LLM_API_KEY = 'sk-a$b' # mine\nLLM_MODEL_ID=m\nLLM_BASE_URL=localhost:1234\nLLM_TIMEOUT=300\nSERPAPI_API_KEY=s"
    )
    settings = load_settings({}, written(tmp_path, lines))
    assert settings.model == ModelSettings("sk-a$b", "m", "http://localhost:1234/v1", 300.0)
    assert settings.search_key == "s"
    assert dict(os.environ) == before


def test_the_environment_wins(tmp_path: Path) -> None:
    settings = load_settings({"LLM_MODEL_ID": "mine"}, written(tmp_path, "LLM_MODEL_ID=m\nLLM_API_KEY=k"))
    assert (settings.model.model, settings.model.api_key) == ("mine", "k")


def test_an_empty_value_in_the_environment_hides_nothing(tmp_path: Path) -> None:
    assert load_settings({"LLM_MODEL_ID": " "}, written(tmp_path, "LLM_MODEL_ID=m")).model.model == "m"


def test_the_example_as_it_stands_sets_nothing() -> None:
    settings = load_settings({}, EXAMPLE)
    assert settings.model == ModelSettings()
    assert not settings.model.is_configured
    assert settings.search_key == ""


def test_nothing_at_all_is_no_model(tmp_path: Path) -> None:
    assert not load_settings({}, tmp_path / "none").model.is_configured


@pytest.mark.parametrize(
    "value", ["YOUR_API_KEY", "your-key-here", "<key>", "sk-xxxxxxxx", "xxx", "changeme", "sk-..."]
)
def test_a_placeholder_is_not_set(value: str, tmp_path: Path) -> None:
    assert load_settings({"LLM_API_KEY": value}, tmp_path / "none").model.api_key == ""


@pytest.mark.parametrize(
    ("environ", "base_url"),
    [
        ({"LLM_MODEL_ID": "m"}, "https://api.openai.com/v1"),
        ({"LLM_BASE_URL": "http://localhost:11434/"}, "http://localhost:11434/v1"),
    ],
)
def test_a_model_or_an_address_is_enough(environ: dict[str, str], base_url: str, tmp_path: Path) -> None:
    settings = load_settings(environ, tmp_path / "none").model
    assert (settings.is_configured, settings.base_url) == (True, base_url)


@pytest.mark.parametrize("value", ["soon", "0", "-5", "nan", "inf"])
def test_a_bad_timeout_is_explained(value: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=f"LLM_TIMEOUT is '{value}', but it has to be a number of seconds above 0"):
        load_settings({"LLM_TIMEOUT": value}, tmp_path / "none")


def test_reads_a_file_with_a_byte_order_mark(tmp_path: Path) -> None:
    assert load_settings({}, written(tmp_path, "LLM_MODEL_ID=m", "utf-8-sig")).model.model == "m"


def test_a_file_in_another_encoding_is_explained(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not UTF-8"):
        load_settings({}, written(tmp_path, "LLM_MODEL_ID=m", "utf-16"))


def test_keys_are_not_in_the_repr(tmp_path: Path) -> None:
    settings = load_settings({"LLM_API_KEY": "sk-secret", "SERPAPI_API_KEY": "serp-secret"}, tmp_path / "none")
    assert "secret" not in repr(settings)
