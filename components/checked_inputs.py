"""What a person has set, checked before anything is run: the question, the expected answer and the model."""

import streamlit as st

from agents import wording
from agents.base import Model
from agents.errors import ModelError
from agents.expected import ExpectedError, check_expected
from components.connection import chosen_model
from components.safe_text import plain
from components.texts import language, say


class InputError(Exception):
    """Something that a person has to mend before anything can be run: the message says what, as Markdown."""


def asked_question(page: str) -> str:
    """The question. Raises InputError where there is none."""
    question: str = st.session_state[f"{page}.question"].strip()
    if not question:
        raise InputError(say("page.no_question"))
    return question


def expected_answer(page: str) -> str | None:
    """What a right answer holds, if anything is expected. Raises InputError where it cannot be used."""
    expected = st.session_state[f"{page}.expected"].strip() or None
    if expected:
        try:
            check_expected(expected)
        except ExpectedError as error:
            raise InputError(plain(error.describe(language()))) from error
    return expected


def model_to_ask() -> Model:
    """The model that the person chose. Raises InputError where it cannot be used."""
    try:
        return chosen_model()
    except ModelError as error:
        raise InputError(plain(" ".join(wording.describe_error(error, language())))) from error
