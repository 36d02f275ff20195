"""What the person is told in both languages."""

from typing import get_args

import pytest

from agents import wording
from agents.errors import ModelError, ModelErrorKind
from agents.events import Language, Message, ModelRequest
from agents.models.accommodations import Accommodation
from agents.wording import translated


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


def test_every_note_of_the_client_has_a_chinese_sentence() -> None:
    request = ModelRequest("answer", (Message("system", "a"), Message("user", "b")), stop=("\nObservation",))
    everything = Accommodation(
        left_out=frozenset({"temperature", "stop", "stream_options", "stream"}),
        renames_max_tokens=True,
        merges_roles=True,
        in_one_piece=True,
        without_thinking=True,
    )
    notes = [*everything.notes(request), "Tried again after 0.5 s (connection: gone)."]
    assert len(notes) == 9
    assert [note for note in notes if translated(note, "adjustment", "zh") == note] == []
