"""The runs of a comparison: at once or in turn, stopped as a whole or by lane, and never without anybody watching."""

import threading
import time
from collections.abc import Generator

import pytest

from agents.base import Model, Settings
from agents.by_name import Switches
from agents.errors import Stopped
from agents.events import Language, ModelRequest, ModelResponse, ReplyDelta
from agents.models.openai_chat import OpenAIChat
from agents.stopping import StopSignal
from agents.tools.toolbox import Toolbox
from components.comparison_run import ComparisonRun, Job
from components.lane import Lane
from tests.agents_under_test import TOOLBOX
from tests.scripted_model import ScriptedModel, reply
from tests.sse_server import SSEServer


class SlowModel:
    """Takes a moment for each reply, and counts how many calls it has at once."""

    name = "slow"

    def __init__(self, seconds: float = 0.15) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self.now = 0
        self.most = 0
        self.calls = 0
        self.has_begun = threading.Event()

    def stream(self, request: ModelRequest, stop: StopSignal) -> Generator[ReplyDelta, None, ModelResponse]:
        with self._lock:
            self.calls += 1
            self.now += 1
            self.most = max(self.most, self.now)
        self.has_begun.set()
        stopped = stop.wait(self._seconds)
        with self._lock:
            self.now -= 1
        if stopped:
            raise Stopped("stopped")
        yield ReplyDelta("42")
        return reply("42")


def lane(name: str, model: Model) -> Lane:
    label = f"paradigms.{name}"
    return Lane(name, label, name, model, {"en": TOOLBOX}, {"en": {}}, Settings(), 3, Switches(closes=False))


def comparison(model: Model, is_race: bool, times: int = 1, lease: float = 5.0) -> ComparisonRun:
    jobs = [Job(name, "?", time=time) for time in range(1, times + 1) for name in ("direct", "reflection")]
    return ComparisonRun([lane("direct", model), lane("reflection", model)], jobs, is_race, lease)


@pytest.mark.parametrize(("is_race", "most"), [(True, 2), (False, 1)])
def test_a_race_runs_all_lanes_at_once_and_in_turn_one_after_the_other(is_race: bool, most: int) -> None:
    model = SlowModel()
    run = comparison(model, is_race)
    run.start()
    run.wait(10)
    assert model.most == most
    assert {job.lane: answer.answer for job, answer in run.runs.items()} == {"direct": "42", "reflection": "42"}


def test_runs_every_job_as_often_as_asked() -> None:
    run = comparison(SlowModel(0.0), is_race=True, times=3)
    run.start()
    run.wait(10)
    assert [(job.lane, job.time) for job in run.runs] == [(job.lane, job.time) for job in run.jobs]


def test_stop_keeps_what_is_done_and_begins_nothing_more() -> None:
    model = SlowModel(0.2)
    run = comparison(model, is_race=False, times=10)
    run.start()
    deadline = time.monotonic() + 5
    while not run.runs and time.monotonic() < deadline:
        run.wait(0.01)
    run.stop()
    run.wait(2)
    assert not run.is_working
    reasons = [answer.reason for answer in run.runs.values()]
    assert reasons[0] == "answered"
    assert len(reasons) < len(run.jobs)


def test_a_lane_that_is_stopped_leaves_the_others_alone() -> None:
    model = SlowModel(0.4)
    run = comparison(model, is_race=True)
    run.start()
    assert model.has_begun.wait(5)
    run.stop("direct")
    run.wait(10)
    reasons = {job.lane: answer.reason for job, answer in run.runs.items()}
    assert reasons.get("direct", "stopped") == "stopped"
    assert reasons["reflection"] == "no_change"


def test_a_lane_that_fails_leaves_the_others_alone() -> None:
    broken, sound = ScriptedModel(), SlowModel(0.0)
    run = ComparisonRun(
        [lane("direct", sound), lane("reflection", broken)], [Job("direct", "?"), Job("reflection", "?")], True
    )
    silenced, threading.excepthook = threading.excepthook, lambda _: None
    run.start()
    run.wait(10)
    threading.excepthook = silenced
    assert {job.lane: answer.answer for job, answer in run.runs.items()} == {"direct": "42", "reflection": None}


def test_nobody_watching_ends_the_comparison() -> None:
    model = SlowModel(0.3)
    run = comparison(model, is_race=False, times=50, lease=0.5)
    run.start()
    run.wait(10)
    assert not run.is_working
    assert model.calls < 10


def test_a_stopped_comparison_is_resumed_without_repeating_what_is_done() -> None:
    model = SlowModel(0.1)
    run = comparison(model, is_race=False, times=3)
    run.start()
    assert model.has_begun.wait(5)
    deadline = time.monotonic() + 5
    while not run.runs and time.monotonic() < deadline:
        run.wait(0.01)
    run.stop()
    run.wait(5)
    done = {job for job, answer in run.runs.items() if answer.answer}
    again = run.resumed()
    again.start()
    again.wait(20)
    assert again.left == 0
    assert {job for job, answer in again.runs.items() if answer.answer} == set(run.jobs)
    assert all(again.live[job] is run.live[job] for job in done)


def test_each_question_is_asked_in_its_own_language() -> None:
    model = ScriptedModel("42", "四十二")
    boxes: dict[Language, Toolbox] = {"en": TOOLBOX, "zh": TOOLBOX}
    texts: dict[Language, dict[str, str]] = {"en": {}, "zh": {}}
    both = Lane("direct", "paradigms.direct", "direct", model, boxes, texts, Settings(), 1, Switches())
    run = ComparisonRun([both], [Job("direct", "6 * 7?"), Job("direct", "六乘七？", "zh", 1)], is_race=True)
    run.start()
    run.wait(10)
    assert [request.messages[0].content[:3] for request in model.requests] == ["Ans", "请回答"]


def test_lanes_of_different_speeds_and_faults_race_without_harming_one_another() -> None:
    with SSEServer() as server:
        models = {
            "direct": OpenAIChat("sim-r1000-n20", server.url, ""),
            "react": OpenAIChat("sim-r40-n40", server.url, ""),
            "plan_and_solve": OpenAIChat("sim-r200-n20-f401", server.url, ""),
            "reflection": OpenAIChat("sim-r200-n20-fhang", server.url, "", timeout=1.5),
        }
        run = ComparisonRun(
            [lane(name, model) for name, model in models.items()], [Job(name, "?") for name in models], is_race=True
        )
        run.start()
        run.wait(20)
    reasons = {job.lane: answer.reason for job, answer in run.runs.items()}
    assert reasons == dict(zip(models, ["answered", "answered", "model_error", "model_error"], strict=True))
    seconds = {job.lane: answer.totals.seconds for job, answer in run.runs.items()}
    assert seconds["direct"] < seconds["react"]
