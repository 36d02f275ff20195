"""Stopping a run from any thread, at once, whatever it is waiting for."""

import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from agents.errors import Stopped

Result = TypeVar("Result")


class StopSignal:
    """Asks a run to stop. It may be set from any thread, also from a signal handler, and set again once cleared."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._callbacks: list[Callable[[], object]] = []

    def set(self) -> None:
        """Asks for the stop: whoever waits inside `calling` or `wait` is woken."""
        self._event.set()
        for callback in tuple(self._callbacks):
            callback()

    def clear(self) -> None:
        """Forgets the stop, so that the next run can begin."""
        self._event.clear()

    def is_set(self) -> bool:
        """Whether a stop has been asked for."""
        return self._event.is_set()

    def wait(self, seconds: float) -> bool:
        """Waits for at most so many seconds; returns whether a stop was asked for."""
        return self._event.wait(seconds)

    @contextmanager
    def calling(self, callback: Callable[[], object]) -> Iterator[None]:
        """Calls `callback` when a stop is asked for inside the `with` block; it must bear being called twice."""
        self._callbacks.append(callback)
        try:
            if self.is_set():
                callback()
            yield
        finally:
            self._callbacks.remove(callback)


def run_until_stopped(function: Callable[[], Result], stop: StopSignal) -> Result:
    """What `function` returns or raises; raises Stopped at once where a stop is asked for first.

    A blocking call cannot be interrupted, so it is left to end by itself on a thread of its own and its result
    is dropped.
    """
    outcome: queue.SimpleQueue[Callable[[], Result]] = queue.SimpleQueue()

    def stopped() -> Result:
        raise Stopped("stopped while a tool was at work")

    def work() -> None:
        try:
            result = function()
        except Exception as error:  # noqa: BLE001 - handed over: it is raised again in the thread that waits
            failure = error

            def fail() -> Result:
                raise failure

            outcome.put(fail)
        else:
            outcome.put(lambda: result)

    with stop.calling(lambda: outcome.put(stopped)):
        threading.Thread(target=work, daemon=True).start()
        return outcome.get()()
