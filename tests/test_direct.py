"""Direct: one call."""

from agents.direct import Direct
from agents.events import FinalAnswer, RunEnded, RunStarted, StepStarted
from tests.agents_under_test import without_calls
from tests.scripted_model import ScriptedModel, reply


def test_answers_in_one_call() -> None:
    model = ScriptedModel("42\n")
    agent = Direct(model)
    assert without_calls(list(agent.stream("6 times 7?"))) == [
        RunStarted("direct", "6 times 7?", "scripted", agent.start("6 times 7?").settings, agent.templates),
        StepStarted(1, "answer", "Answer"),
        reply("42\n"),
        FinalAnswer("42"),
        RunEnded("answered", "The agent gave its answer."),
    ]
    assert "6 times 7?" in model.requests[0].messages[0].content


def test_callbacks_get_every_event_as_it_happens() -> None:
    seen: list[object] = []
    run = Direct(ScriptedModel("42")).run("6 times 7?", seen.append)
    assert seen == [stamped.event for stamped in run.events]


def test_an_answer_cut_off_by_the_token_limit_is_marked() -> None:
    run = Direct(ScriptedModel(reply("Once upon", "length"))).run("Tell me.")
    assert next(run.of(FinalAnswer)) == FinalAnswer("Once upon", "truncated")
