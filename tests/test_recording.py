"""A recorded run loads back equal, and what is not known is refused with a sentence."""

import json
from dataclasses import replace
from typing import Any

import pytest

from agents.errors import ModelError
from agents.events import ToolCall
from agents.react import ReAct
from agents.recording import RecordingError, from_json, to_json
from agents.run import Run
from tests.agents_under_test import TOOLBOX
from tests.scripted_model import ScriptedModel, reply


def recorded() -> Run:
    native = replace(reply(""), tool_call=ToolCall("Search", "height of Tower A"))
    model = ScriptedModel("Thought: “ä”\nAction: Search[高]\nObservation: no", native, ModelError("timeout"))
    return ReAct(model, TOOLBOX).run("Which?")


def test_a_saved_run_loads_back_equal() -> None:
    run = recorded()
    assert from_json(to_json(run)) == run


def test_a_loaded_run_has_the_same_totals() -> None:
    run = recorded()
    assert from_json(to_json(run)).totals == run.totals


def changed(**change: Any) -> str:
    content = json.loads(to_json(recorded()))
    return json.dumps(content | change)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "This is no JSON: Expecting property name enclosed in double quotes in line 1."),
        ("[]", "This is no recorded run: it has no version."),
        (changed(version=2), "This recording has version 2; version 1 is the one that can be read."),
        (changed(author="x"), "The recording has a part 'author' that is not known."),
        (changed(events=None), "The recording has no list of events."),
        (changed(events=["x"]), "Event 1 is not an object with fields."),
        (changed(events=[{"event": "Guess", "at": 0}]), 'Event 1 is of a kind "Guess" that is not known.'),
        (changed(events=[{"event": "Thought", "text": "x"}]), "Event 1 (Thought) does not say when it happened"),
        (
            changed(events=[{"event": "Thought", "at": 0, "text": 3}]),
            "Event 1 (Thought), field 'text': Input should be",
        ),
        (changed(events=[{"event": "Thought", "at": 0}]), "Event 1 (Thought), field 'text': Field required"),
        (changed(events=[{"event": "Thought", "at": 0, "text": "x", "mood": 1}]), "Event 1 (Thought), field 'mood'"),
    ],
)
def test_what_is_not_known_is_refused_with_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(RecordingError) as refusal:
        from_json(text)
    assert str(refusal.value).startswith(sentence)
