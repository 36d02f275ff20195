"""What a fork takes over of a recorded run: replies, observations, settings, earlier changes and the clock."""

import json
from collections.abc import Callable, Generator
from dataclasses import replace
from itertools import islice

import pytest

from agents.base import Settings
from agents.by_name import Switches, make_agent
from agents.errors import ForkError
from agents.events import (
    Action,
    Message,
    ModelRequest,
    ModelResponse,
    Observation,
    Part,
    ReplyDelta,
    RunEnded,
    Stamped,
    Thought,
)
from agents.forking import changeable, fork
from agents.models.recorded import RecordedModel
from agents.plan_and_solve import PlanAndSolve
from agents.react import ReAct
from agents.recording import from_json, to_json
from agents.run import Run
from agents.stopping import StopSignal
from agents.tools.recorded import RecordedToolbox
from agents.tools.toolbox import Toolbox
from tests.agents_under_test import TOOLBOX, kinds
from tests.scripted_model import ScriptedModel, reply
from tests.test_forking import (
    APPROVE,
    CODE,
    FINISH,
    FOR_CODE,
    LOOK_UP_A,
    LOOK_UP_B,
    PLAN,
    QUESTION,
    REVISE,
    events,
    forked,
    plan_and_solve,
    react,
    reflection,
    requests,
)

REQUEST = ModelRequest("react", (Message("user", "?"),))
SEARCH = Action("Search", "height of Tower A")
STEPS = [
    pytest.param(react, 1, {"thought": "I need A.", "observation": "Tower A is 300 m tall."}, id="react"),
    pytest.param(react, 3, {"thought": "300 is more."}, id="finish"),
    pytest.param(react, 4, {}, id="no such step"),
    pytest.param(plan_and_solve, 1, {"plan": "Find A\nCompare"}, id="plan"),
    pytest.param(plan_and_solve, 3, {"result": "A"}, id="execute"),
    pytest.param(plan_and_solve, 4, {}, id="close"),
    pytest.param(reflection, 1, {"draft": "one"}, id="draft"),
    pytest.param(reflection, 2, {"feedback": REVISE}, id="review"),
    pytest.param(reflection, 3, {"draft": "two"}, id="revise"),
]


@pytest.mark.parametrize(("original", "step", "parts"), STEPS)
def test_a_step_offers_its_parts_as_they_read_now(
    original: Callable[[], Run], step: int, parts: dict[Part, str]
) -> None:
    assert changeable(original(), step) == parts


@pytest.mark.parametrize(
    ("replies", "step"),
    [
        pytest.param(("Thought: x\nAction: Divide[1, 2]", FINISH), 1, id="of an unknown tool"),
        pytest.param(("Thought: x", FINISH), 1, id="of a reply without an action"),
        pytest.param(("Thought: x\nAction: Search[]", FINISH), 1, id="of a call without input"),
        pytest.param((LOOK_UP_A, LOOK_UP_A, LOOK_UP_A, FINISH), 3, id="of the third same call"),
    ],
)
def test_what_the_agent_itself_said_is_no_observation_to_change(replies: tuple[str, ...], step: int) -> None:
    assert list(changeable(react(*replies), step)) == ["thought"]


@pytest.mark.parametrize(
    ("replies", "step"),
    [
        pytest.param(("Thought: x\nAction: Calculator[1/0]", FINISH), 1, id="a failure"),
        pytest.param((LOOK_UP_A, LOOK_UP_A, FINISH), 2, id="the second same call"),
    ],
)
def test_whatever_a_tool_said_can_be_changed(replies: tuple[str, ...], step: int) -> None:
    assert list(changeable(react(*replies), step)) == ["thought", "observation"]


def test_a_closing_step_has_nothing_to_change() -> None:
    run = ReAct(ScriptedModel(LOOK_UP_A, "Thought: I guess.\nTower A."), TOOLBOX, max_steps=1).run(QUESTION)
    assert changeable(run, 2) == {}


def test_the_code_of_a_draft_is_what_can_be_changed() -> None:
    run = reflection(f"Here:\n{CODE}", "Verdict: APPROVED", templates=FOR_CODE)
    assert changeable(run, 1) == {"draft": "def f(x):\n    return x + x"}


@pytest.mark.parametrize(("step", "part"), [(1, "plan"), (3, "observation"), (4, "thought"), (0, "thought")])
def test_a_part_that_the_step_does_not_have_is_refused(step: int, part: Part) -> None:
    with pytest.raises(ForkError, match="no_such_part"):
        fork(react(), step, part, "x", "Ada", ScriptedModel(), TOOLBOX)


def test_an_earlier_change_stays() -> None:
    once = forked(react(), 1, "thought", "A first.", "Action: Search[height of Tower A]", LOOK_UP_B, FINISH)
    twice = forked(once, 2, "observation", "900 m", "Action: Finish[Tower B]")
    assert twice.started is not None
    assert [(change.step, change.part) for change in twice.started.changes] == [(1, "thought"), (2, "observation")]
    assert [thought.text for thought in twice.of(Thought)] == ["A first.", "I need B."]
    assert requests(twice)[:2] == requests(once)[:2]
    assert [observation.text for observation in twice.of(Observation)] == ["Tower A is 300 m tall.", "900 m"]


def test_a_changed_thought_and_a_changed_observation_of_one_step_both_stay() -> None:
    once = forked(react(LOOK_UP_A, FINISH), 1, "thought", "A first.", "Action: Search[height of Tower A]", FINISH)
    twice = forked(once, 1, "observation", "900 m", FINISH)
    assert twice.started is not None
    assert [change.part for change in twice.started.changes] == ["thought", "observation"]
    assert [next(twice.of(Thought)).text, next(twice.of(Observation)).text] == ["A first.", "900 m"]


@pytest.mark.parametrize(
    ("step", "part", "later"),
    [
        pytest.param(1, "observation", (FINISH,), id="in an earlier step"),
        pytest.param(2, "thought", ("Action: Finish[A]",), id="before it in the same step"),
        pytest.param(2, "observation", (FINISH,), id="in its place"),
    ],
)
def test_a_change_that_comes_later_is_dropped(step: int, part: Part, later: tuple[str, ...]) -> None:
    once = forked(react(), 2, "observation", "900 m", FINISH)
    twice = forked(once, step, part, "Something else", *later)
    assert twice.started is not None
    assert [(change.step, change.part, change.after) for change in twice.started.changes] == [
        (step, part, "Something else")
    ]


def test_a_thought_that_is_changed_again_has_only_the_last_change() -> None:
    once = forked(react(), 2, "thought", "Guess.", "Action: Finish[A]")
    twice = forked(once, 2, "thought", "Guess again.", "Action: Finish[B]")
    assert twice.started is not None
    assert [(change.before, change.after) for change in twice.started.changes] == [("Guess.", "Guess again.")]
    assert [thought.text for thought in twice.of(Thought)] == ["I need A.", "Guess again."]


def test_a_fork_has_all_settings_of_the_run() -> None:
    settings = Settings("zh", 0.7, 500, 9_000)
    off = Switches(closes=False, sends_stop=False, keeps_thoughts=False)
    toolbox = Toolbox(TOOLBOX.tools, "zh")
    model = ScriptedModel(LOOK_UP_A, FINISH)
    run = make_agent("react", model, toolbox.without("Calculator"), None, settings, 4, off).run(QUESTION)
    changed = forked(run, 1, "observation", "900 m", FINISH, toolbox=toolbox)
    assert run.started is not None
    assert changed.started is not None
    assert changed.started == replace(run.started, changes=changed.started.changes)
    assert requests(changed)[0] == requests(run)[0]


@pytest.mark.parametrize(
    ("agent", "replies", "switches"),
    [
        ("plan_and_solve", (PLAN, "5"), Switches(executes=False)),
        ("plan_and_solve", (PLAN, "1", "2"), Switches(closes=False)),
        ("reflection", ("one", "two", "three"), Switches(reviews=False)),
    ],
)
def test_what_is_switched_off_in_the_run_is_so_in_its_fork(
    agent: str, replies: tuple[str, ...], switches: Switches
) -> None:
    run = make_agent(agent, ScriptedModel(*replies), TOOLBOX, limit=2, switches=switches).run(QUESTION)
    part = next(iter(changeable(run, 1)))
    changed = forked(run, 1, part, "uno\ndos", *replies[1:])
    assert changed.started is not None
    assert Switches.of(changed.started.settings) == switches
    assert [request.role for request in requests(changed)] == [request.role for request in requests(run)]


def test_a_fork_describes_the_tools_in_the_language_of_the_run() -> None:
    run = react(LOOK_UP_A, FINISH, toolbox=Toolbox(TOOLBOX.tools, "zh"), language="zh")
    assert requests(forked(run, 1, "observation", "900 m", FINISH))[0] == requests(run)[0]


def test_a_run_whose_tool_is_no_longer_there_is_not_forked() -> None:
    with pytest.raises(ForkError, match="tool_missing"):
        forked(react(), 2, "observation", "900 m", FINISH, toolbox=TOOLBOX.without("Search"))


@pytest.mark.parametrize("part", ["thought", "draft"])
def test_a_blank_text_is_refused_where_it_would_be_asked_for_again(part: Part) -> None:
    run = {"thought": react(), "draft": reflection("a", APPROVE)}[part]
    with pytest.raises(ForkError, match="blank"):
        forked(run, 1, part, " \n")


def test_what_is_replayed_counts_towards_the_token_budget() -> None:
    run = ReAct(ScriptedModel(LOOK_UP_A, LOOK_UP_B), TOOLBOX, settings=Settings(token_budget=30)).run(QUESTION)
    assert forked(run, 2, "observation", "900 m").reason == "token_budget"


def test_a_reply_that_was_asked_for_twice_is_replayed_twice() -> None:
    run = PlanAndSolve(ScriptedModel(PLAN, " ", "300", "A", "A.")).run(QUESTION)
    changed = forked(run, 2, "result", "900", "B", "B.")
    assert [response.text for response in changed.of(ModelResponse)] == [PLAN, " ", "900", "B", "B."]


CHANGES = [
    pytest.param(react, 2, "thought", ("Action: Finish[A]",), id="thought"),
    pytest.param(react, 2, "observation", (FINISH,), id="observation"),
    pytest.param(plan_and_solve, 1, "plan", ("A", "A."), id="plan"),
    pytest.param(reflection, 3, "draft", ("Verdict: APPROVED",), id="draft"),
]


@pytest.mark.parametrize(("original", "step", "part", "later"), CHANGES)
def test_a_run_read_from_json_is_forked_alike(
    original: Callable[[], Run], step: int, part: Part, later: tuple[str, ...]
) -> None:
    run = original()
    assert events(forked(from_json(to_json(run)), step, part, "高", *later)) == events(
        forked(run, step, part, "高", *later)
    )


@pytest.mark.parametrize(("original", "step", "part", "later"), CHANGES)
def test_a_recorded_fork_loads_back_equal(
    original: Callable[[], Run], step: int, part: Part, later: tuple[str, ...]
) -> None:
    changed = forked(original(), step, part, "高", *later)
    assert from_json(to_json(changed)) == changed


def test_a_recording_made_before_there_were_forks_can_be_read_and_forked() -> None:
    content = json.loads(to_json(react()))
    del content["events"][0]["changes"]
    assert forked(from_json(json.dumps(content)), 2, "observation", "900 m", FINISH).answer == "Tower A"


def slow(run: Run) -> Run:
    """The run as if its events were ten seconds apart."""
    return Run([Stamped(position * 10.0, event) for position, event in enumerate(events(run))])


@pytest.mark.parametrize(
    ("part", "seconds"), [pytest.param("thought", 80.0, id="thought"), pytest.param("observation", 140.0, id="all")]
)
def test_the_clock_of_a_fork_goes_on_from_the_change(part: Part, seconds: float) -> None:
    changed = forked(slow(react()), 2, part, "Something", FINISH)
    assert changed.started is not None
    assert changed.started.changes[0].seconds == seconds
    assert changed.events[0].at < 10
    assert min(stamped.at for stamped in changed.events[1:]) >= seconds
    assert seconds <= changed.totals.seconds < seconds + 10


def test_the_clock_of_a_fork_of_a_fork_goes_on_from_the_last_change() -> None:
    once = forked(slow(react()), 1, "thought", "A first.", "Action: Search[height of Tower A]", LOOK_UP_B, FINISH)
    twice = forked(slow(once), 2, "observation", "900 m", FINISH)
    assert twice.started is not None
    assert [change.seconds for change in twice.started.changes] == [10.0, 140.0]
    assert min(stamped.at for stamped in twice.events[1:]) >= 140


def test_a_fork_can_be_stopped_before_it_replays_anything() -> None:
    agent = fork(react(), 2, "observation", "900 m", "Ada", ScriptedModel(), TOOLBOX)
    agent.stop()
    assert agent.run(QUESTION).reason == "stopped"


def test_a_fork_can_be_stopped_after_the_change() -> None:
    agent = fork(react(), 1, "observation", "900 m", "Ada", ScriptedModel(), TOOLBOX)
    stream = agent.stream(QUESTION)
    seen = list(islice(stream, 8))
    agent.stop()
    seen += list(stream)
    assert kinds(seen)[7:] == ["Observation", "StepStarted", "RunEnded"]
    assert seen[-1] == RunEnded("stopped", "You stopped the run.")


def replied(model: RecordedModel) -> list[ReplyDelta | ModelResponse]:
    """What the model streams for a request, and then the whole reply."""

    def streamed() -> Generator[ReplyDelta | ModelResponse, None, None]:
        yield (yield from model.stream(REQUEST, StopSignal()))

    return list(streamed())


def test_a_recorded_model_gives_each_reply_in_one_piece_and_then_hands_over() -> None:
    one, two = reply("one", "length", reasoning="Hm."), reply("two")
    live = ScriptedModel("three")
    model = RecordedModel([one, two], live)
    assert replied(model) == [ReplyDelta("Hm.", is_reasoning=True), ReplyDelta("one"), one]
    assert replied(model) == [ReplyDelta("two"), two]
    assert live.requests == []
    assert replied(model) == [ReplyDelta("three"), reply("three")]
    assert live.requests == [REQUEST]


def test_a_recorded_model_has_the_name_of_the_one_that_it_hands_over_to() -> None:
    assert RecordedModel([], ScriptedModel()).name == "scripted"


def test_a_recorded_reply_of_nothing_has_no_pieces() -> None:
    assert replied(RecordedModel([reply("")], ScriptedModel())) == [reply("")]


def test_recorded_tools_return_what_they_did_in_order_and_then_what_they_do_now() -> None:
    uses = [(SEARCH, Observation("first", seconds=2.0)), (SEARCH, Observation("second", is_error=True))]
    toolbox = RecordedToolbox(uses, TOOLBOX)
    used = [toolbox.use(SEARCH.tool, SEARCH.input, StopSignal()) for _ in range(3)]
    assert used[:2] == [observation for _, observation in uses]
    assert used[2].text == "Tower A is 300 m tall."


def test_recorded_tools_return_a_use_only_for_the_very_same_call() -> None:
    toolbox = RecordedToolbox([(SEARCH, Observation("recorded"))], TOOLBOX)
    calls = [("Search", "height of Tower B"), ("Calculator", "300 - 250"), ("Search", "height of Tower A")]
    told = [toolbox.use(name, value, StopSignal()).text for name, value in calls]
    assert told == ["Tower B is 250 m tall.", "50", "recorded"]


def test_recorded_tools_are_described_as_the_tools_are() -> None:
    toolbox = Toolbox(TOOLBOX.tools, "zh")
    recorded = RecordedToolbox([], toolbox)
    assert (recorded.names, recorded.language) == (toolbox.names, "zh")
    assert recorded.describe() == toolbox.describe()
