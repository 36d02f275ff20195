"""A run at work in a thread of its own, and the watch that ends it when nobody looks any more.

The worker knows nothing of Streamlit: it puts the agent's events into a queue. A page's script takes them out (`drain`)
and draws. Touching a widget therefore interrupts the drawing and never the run.
"""

import queue
import threading
import time
from collections.abc import Sequence

from agents.base import Agent
from agents.events import Stamped
from agents.run import Run

LEASE = 5.0  # seconds that a run goes on although no script has drained it or kept it alive


class LiveRun:
    """One run of one agent. `run` holds the events drained so far; several threads may not drain at once."""

    def __init__(self, agent: Agent, question: str, lease: float = LEASE) -> None:
        self.agent = agent
        self.question = question
        self.run = Run()
        self.failure: Exception | None = None
        self._lease = lease
        self._queue: queue.SimpleQueue[Stamped] = queue.SimpleQueue()
        self._finished = threading.Event()
        self._began = self._last_seen = time.monotonic()

    def start(self) -> None:
        """Begins the run on a thread of its own, watched by another one."""
        threading.Thread(target=self._work, daemon=True).start()
        threading.Thread(target=self._watch, daemon=True).start()

    def stop(self) -> None:
        """Ends the run at once; what it reported stays."""
        self.agent.stop()

    def keep_alive(self) -> None:
        """Says that somebody still waits for this run."""
        self._last_seen = time.monotonic()

    def drain(self) -> Sequence[Stamped]:
        """The events since the last call, added to `run`."""
        self.keep_alive()
        fresh = [self._queue.get() for _ in range(self._queue.qsize())]
        self.run.events.extend(fresh)
        return fresh

    @property
    def is_working(self) -> bool:
        """Whether the worker has not come to the run's end yet."""
        return not self._finished.is_set()

    @property
    def is_going_on(self) -> bool:
        """Whether there is more to draw: the run still works, or has events that were not drained yet."""
        return self.is_working or not self._queue.empty()

    def wait(self, seconds: float | None = None) -> None:
        """Waits for the run's end, at most so many seconds if they are given."""
        self._finished.wait(seconds)

    @property
    def seconds(self) -> float:
        """Seconds since the run began; those of the whole run once it is over."""
        return time.monotonic() - self._began if self.is_going_on else self.run.totals.seconds

    def _work(self) -> None:
        clock = Run()
        try:
            for event in self.agent.stream(self.question):
                self._queue.put(clock.record(event))
        except Exception as error:  # a bug: the page that shows this run has to end and say so
            self.failure = error
            raise
        finally:
            self._finished.set()

    def _watch(self) -> None:
        while not self._finished.wait(0.5):
            if time.monotonic() - self._last_seen > self._lease:
                self.stop()
                return
