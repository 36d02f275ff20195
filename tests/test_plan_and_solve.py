"""Plan-and-Solve, by whole trajectories with a scripted model."""

from agents.errors import ModelError
from agents.events import FinalAnswer, FormatSlip, Message, Plan, RunEnded, RunStarted, StepResult, StepStarted
from agents.plan_and_solve import PlanAndSolve
from agents.run import Run
from tests.agents_under_test import without_calls
from tests.scripted_model import ScriptedModel, reply

QUESTION = "What do 3 tickets cost with tax?"
PLAN = '["Find the price", "Add the tax"]'


def run_of(model: ScriptedModel, max_steps: int = 8, closes: bool = True) -> Run:
    return PlanAndSolve(model, max_steps=max_steps, closes=closes).run(QUESTION)


def test_reports_the_whole_trajectory_in_order() -> None:
    model = ScriptedModel(PLAN, "30", "33", "They cost 33.")
    agent = PlanAndSolve(model)
    assert without_calls(list(agent.stream(QUESTION))) == [
        RunStarted("plan_and_solve", QUESTION, "scripted", agent.start(QUESTION).settings, agent.templates),
        StepStarted(1, "plan", "Make the plan"),
        reply(PLAN),
        Plan(("Find the price", "Add the tax")),
        StepStarted(2, "execute", "Find the price"),
        reply("30"),
        StepResult(1, "30"),
        StepStarted(3, "execute", "Add the tax"),
        reply("33"),
        StepResult(2, "33"),
        StepStarted(4, "close", "Answer from what was found"),
        reply("They cost 33."),
        FinalAnswer("They cost 33."),
        RunEnded("answered", "The agent gave its answer."),
    ]
    model.assert_finished()


def test_the_executor_sees_question_plan_earlier_results_and_its_step() -> None:
    model = ScriptedModel(PLAN, "30", "33", "33")
    run_of(model)
    prompt = model.requests[2].messages[0].content
    assert [part in prompt for part in (QUESTION, "1. Find the price\n2. Add the tax", "Result: 30")] == [True] * 3
    assert "Result: 33" not in prompt


def test_the_closing_call_answers_the_question_and_not_the_last_step() -> None:
    model = ScriptedModel(PLAN, "30", "33", "They cost 33.")
    run_of(model)
    prompt = model.requests[3].messages[0].content
    assert [part in prompt for part in (QUESTION, "Result: 30", "Result: 33")] == [True] * 3


def test_without_the_closing_call_the_last_result_is_the_answer() -> None:
    assert run_of(ScriptedModel(PLAN, "30", "33"), closes=False).answer == "33"


def test_a_plan_that_cannot_be_read_is_asked_for_once_more() -> None:
    model = ScriptedModel("I would look at the price.", '["Find the price"]', "30", "30")
    run = run_of(model)
    assert next(run.of(FormatSlip)).cut == "I would look at the price."
    assert [message.role for message in model.requests[1].messages] == ["user", "assistant", "user"]
    assert model.requests[1].messages[1] == Message("assistant", "I would look at the price.")
    assert [step.number for step in run.of(StepStarted)] == [1, 2, 3, 4]
    assert run.answer == "30"


def test_a_plan_that_cannot_be_read_twice_ends_the_run_with_a_reason() -> None:
    run = run_of(ScriptedModel("Well.", "[]"))
    assert run.reason == "no_plan"
    assert run.answer is None


def test_a_plan_longer_than_the_limit_is_cut_and_says_so() -> None:
    run = run_of(ScriptedModel('["a", "b", "c"]', "1", "2", "12"), max_steps=2)
    assert next(run.of(Plan)).steps == ("a", "b")
    assert [slip.rule for slip in run.of(FormatSlip)] == ["plan_capped"]


def test_an_executor_that_fails_keeps_the_finished_steps() -> None:
    run = run_of(ScriptedModel('["Find A", "Find B", "Compare"]', "1", ModelError("timeout")))
    assert list(run.of(StepResult)) == [StepResult(1, "1")]
    assert run.answer is None
    assert run.ended is not None
    assert run.ended.error == "timeout"


def test_a_planner_that_fails_names_the_real_cause() -> None:
    run = run_of(ScriptedModel(ModelError("rate_limit", "rate limit")))
    assert run.ended is not None
    assert "rate limit" in run.ended.message


def test_a_blank_result_is_asked_for_again_and_never_passed_on() -> None:
    model = ScriptedModel('["Find A"]', "  ", "1", "One.")
    run = run_of(model)
    assert [slip.rule for slip in run.of(FormatSlip)] == ["empty_reply"]
    assert list(run.of(StepResult)) == [StepResult(1, "1")]


def test_two_blank_results_end_the_run() -> None:
    run = run_of(ScriptedModel('["Find A"]', "", ""))
    assert run.ended is not None
    assert run.ended.error == "empty_reply"


def test_a_step_with_braces_reaches_the_executor_as_it_is() -> None:
    model = ScriptedModel('["Print {total} to the {question} log"]', "ok", "ok")
    run_of(model)
    assert "Print {total} to the {question} log" in model.requests[1].messages[0].content
