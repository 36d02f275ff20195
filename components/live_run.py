"""A run at work in a thread of its own, and the watch that ends it when nobody looks any more.

The worker knows nothing of Streamlit: it adds the agent's events to a list. A page's script reads on from where it was
(`since`) and draws. Touching a widget therefore interrupts the drawing and never the run, and several readers, such as
a lane and the table below it, take nothing from one another.
"""

import threading
import time
from collections.abc import Sequence

from agents.base import Agent
from agents.events import Stamped
from agents.run import Run

LEASE = 5.0  # seconds that a run goes on although no script has read it or kept it alive


class LiveRun:
    """One run of one agent. `run` grows while the worker is at work; `failure` is the bug that ended it, if one did."""

    def __init__(self, agent: Agent, question: str, lease: float = LEASE) -> None:
        self.agent = agent
        self.question = question
        self.run = Run()
        self.failure: Exception | None = None
        self._lease = lease
        self._finished = threading.Event()
        self._last_seen = time.monotonic()

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

    def since(self, position: int) -> Sequence[Stamped]:
        """The events after the first so many; reading them says that somebody looks."""
        self.keep_alive()
        return self.run.events[position:]

    @property
    def is_working(self) -> bool:
        """Whether the worker has not come to the run's end yet. Read it before the events that are to be drawn."""
        return not self._finished.is_set()

    @property
    def is_over(self) -> bool:
        """Whether the run has ended, be it by a bug."""
        return self.run.ended is not None or not self.is_working

    def wait(self, seconds: float | None = None) -> None:
        """Waits for the run's end, at most so many seconds if they are given."""
        self._finished.wait(seconds)

    @property
    def seconds(self) -> float:
        """Seconds since the run began; those of the whole run once it is over."""
        return self.run.totals.seconds if self.is_over else self.run.clock

    def _work(self) -> None:
        try:
            for event in self.agent.stream(self.question):
                self.run.record(event)
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
