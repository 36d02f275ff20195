from typing import get_args

import pytest

from agents import wording
from agents.errors import ModelError, ModelErrorKind
from agents.events import Language


@pytest.mark.parametrize("kind", get_args(ModelErrorKind))
@pytest.mark.parametrize("language", get_args(Language))
def test_every_kind_has_a_sentence_and_a_next_step(kind: ModelErrorKind, language: Language) -> None:
    message, next_step = wording.describe_error(ModelError(kind, "the server's words"), language)
    assert message.endswith("(the server's words)")
    assert next_step


@pytest.mark.parametrize("hint", wording.entries("hint"))
@pytest.mark.parametrize("language", get_args(Language))
def test_a_hint_comes_after_the_next_step(hint: str, language: Language) -> None:
    _, next_step = wording.describe_error(ModelError("connection", hint=hint), language)
    assert next_step.endswith(wording.sentence(f"hint.{hint}", language))
