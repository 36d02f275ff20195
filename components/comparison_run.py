"""The runs of a comparison: every lane's agent on every question, all lanes at once (a race) or one after the other.

A conductor thread starts the runs; like a single run it knows nothing of Streamlit, and ends when nobody looks.
"""

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agents.events import Language
from agents.run import Run
from components.lane import AnyLane
from components.live_run import LEASE, LiveRun
from components.rounds import Flips


@dataclass(frozen=True)
class Job:
    """One run to be made: a lane's name, a question (with its place in the set) and which time this is, from 1.

    `expected` is what a right answer holds, None where nothing is expected.
    """

    lane: str
    question: str
    language: Language = "en"
    number: int = 0
    time: int = 1
    expected: str | None = None


class ComparisonRun:
    """Runs jobs. `live` holds those that have begun; a job that never began is not in it.

    `done` are runs of an earlier try, which are kept and not made again.
    """

    def __init__(
        self,
        lanes: Sequence[AnyLane],
        jobs: Sequence[Job],
        is_race: bool,
        lease: float = LEASE,
        done: Mapping[Job, LiveRun] | None = None,
    ) -> None:
        self.lanes = {lane.name: lane for lane in lanes}
        self.jobs = list(jobs)
        self.is_race = is_race
        self.live: dict[Job, LiveRun] = dict(done or {})
        # Right, wrong or not marked, of the answers and of all drafts: marking may take seconds, so it is kept.
        self.marks: dict[Job, bool | None] = {}
        self.flips: dict[Job, Flips | None] = {}
        self._lease = lease
        self._stopped_lanes: set[str] = set()
        self._finished = threading.Event()
        self._last_seen = time.monotonic()

    def start(self) -> None:
        """Begins on a thread of its own."""
        threading.Thread(target=self._conduct, daemon=True).start()

    def stop(self, lane: str = "") -> None:
        """Ends the run of this lane and begins no other in it; without a lane, ends all."""
        self._stopped_lanes |= {lane} if lane else set(self.lanes)
        for job, live in list(self.live.items()):
            if job.lane in self._stopped_lanes:
                live.stop()

    def is_stopped(self, lane: str) -> bool:
        """Whether this lane was stopped."""
        return lane in self._stopped_lanes

    def is_waiting(self, lane: str) -> bool:
        """Whether this lane has a run that goes on or is still to begin."""
        jobs = [job for job in self.jobs if job.lane == lane]
        if lane in self._stopped_lanes:
            jobs = [job for job in jobs if job in self.live]
        return any(job not in self.live or self.live[job].is_working for job in jobs)

    def keep_alive(self) -> None:
        """Says that somebody still waits for the runs."""
        self._last_seen = time.monotonic()
        for live in list(self.live.values()):
            live.keep_alive()

    @property
    def expected_runs(self) -> int:
        """How many runs there will be: those of stopped lanes that never began are left out."""
        return sum(job in self.live or job.lane not in self._stopped_lanes for job in self.jobs)

    def wait(self, seconds: float) -> None:
        """Waits for the end of all jobs, at most so many seconds."""
        self._finished.wait(seconds)

    @property
    def is_working(self) -> bool:
        """Whether there are jobs that have not ended."""
        return not self._finished.is_set()

    @property
    def runs(self) -> dict[Job, Run]:
        """The runs that are over."""
        return {job: live.run for job, live in list(self.live.items()) if not live.is_working}

    @property
    def left(self) -> int:
        """How many jobs have no run that came to its own end."""
        return len(self.jobs) - len(self._done())

    def resumed(self) -> "ComparisonRun":
        """The same comparison, to be started again: what is done stays, what was stopped or never began is run."""
        return ComparisonRun(list(self.lanes.values()), self.jobs, self.is_race, self._lease, self._done())

    def _done(self) -> dict[Job, LiveRun]:
        return {job: self.live[job] for job, run in self.runs.items() if run.reason not in (None, "stopped")}

    def _conduct(self) -> None:
        try:
            for jobs in self._rounds():
                if time.monotonic() - self._last_seen > self._lease:
                    break
                begun = [self._begin(job) for job in jobs if job.lane not in self._stopped_lanes]
                for live in begun:
                    live.wait()
        finally:
            self._finished.set()

    def _rounds(self) -> list[list[Job]]:
        """The jobs that are left, those together that run at once."""
        rounds: dict[tuple[int, int, str], list[Job]] = {}
        for job in self.jobs:
            if job not in self.live:  # else done before this was resumed
                rounds.setdefault((job.number, job.time, "" if self.is_race else job.lane), []).append(job)
        return list(rounds.values())

    def _begin(self, job: Job) -> LiveRun:
        live = LiveRun(self.lanes[job.lane].agent(job.language), job.question, self._lease)
        self.live[job] = live
        live.start()
        if job.lane in self._stopped_lanes:  # stopped between the question whether to begin and the beginning
            live.stop()
        return live
