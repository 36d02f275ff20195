"""A run in a worker thread: nothing is lost, Stop is at once, and nobody watching ends it."""

import threading
import time
from collections.abc import Generator

from agents.direct import Direct
from agents.errors import Stopped
from agents.events import FinalAnswer, ModelRequest, ModelResponse, ReplyDelta, RunEnded
from agents.stopping import StopSignal
from components.live_run import LiveRun
from tests.scripted_model import ScriptedModel


class SilentModel:
    """Says half a word and then nothing, until it is stopped."""

    name = "silent"

    def __init__(self) -> None:
        self.calls = 0
        self.is_silent = threading.Event()

    def stream(self, request: ModelRequest, stop: StopSignal) -> Generator[ReplyDelta, None, ModelResponse]:
        self.calls += 1
        yield ReplyDelta("hal")
        self.is_silent.set()
        stop.wait(30)
        raise Stopped("stopped")


class BrokenModel:
    """Has a bug."""

    name = "broken"

    def stream(self, request: ModelRequest, stop: StopSignal) -> Generator[ReplyDelta, None, ModelResponse]:
        yield ReplyDelta("a")
        raise AssertionError("a bug")


def silent_run(lease: float) -> tuple[LiveRun, SilentModel]:
    model = SilentModel()
    live = LiveRun(Direct(model), "?", lease)
    live.start()
    assert model.is_silent.wait(5)
    return live, model


def test_every_reader_gets_every_event_once() -> None:
    live = LiveRun(Direct(ScriptedModel("42")), "6 times 7?")
    live.start()
    live.wait(5)
    first, again = live.since(0), live.since(0)
    assert [type(stamped.event).__name__ for stamped in first][-2:] == ["FinalAnswer", "RunEnded"]
    assert list(first) == list(again) == live.run.events
    assert list(live.since(len(first))) == []
    assert live.is_over


def test_stop_ends_a_silent_run_at_once_and_keeps_what_was_said() -> None:
    live, _ = silent_run(lease=60)
    began = time.monotonic()
    live.stop()
    live.wait(5)
    assert time.monotonic() - began < 0.3
    assert list(live.run.of(ReplyDelta)) == [ReplyDelta("hal")]
    assert live.run.reason == "stopped"


def test_a_run_that_nobody_reads_stops_itself() -> None:
    live, model = silent_run(lease=0.1)
    live.wait(5)
    assert live.run.reason == "stopped"
    assert model.calls == 1


def test_a_run_that_is_kept_alive_goes_on() -> None:
    live, _ = silent_run(lease=1.0)
    deadline = time.monotonic() + 1.8
    while time.monotonic() < deadline:
        live.keep_alive()
        live.wait(0.3)
    assert live.is_working
    live.stop()


def test_a_bug_ends_the_run_and_is_kept_for_the_page() -> None:
    live = LiveRun(Direct(BrokenModel()), "?")
    silenced, threading.excepthook = threading.excepthook, lambda _: None
    live.start()
    live.wait(5)
    threading.excepthook = silenced
    assert isinstance(live.failure, AssertionError)
    assert live.run.answer is None
    assert live.is_over


def test_the_clock_stands_still_once_the_run_is_over() -> None:
    live = LiveRun(Direct(ScriptedModel("42")), "?")
    live.start()
    live.wait(5)
    assert live.seconds == live.run.totals.seconds
    assert isinstance(live.run.events[-2].event, FinalAnswer)
    assert isinstance(live.run.events[-1].event, RunEnded)
