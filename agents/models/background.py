"""Waits for asynchronous work from ordinary code, so that the wait can be ended at once from any thread.

A thread that blocks in a read cannot be woken: closing the connection under it takes effect only when the next byte
arrives. A task on an event loop can be cancelled at any await, also before the server has answered at all. So all
requests live on one event loop, on a thread of its own, and whoever wants a reply waits at a queue.
"""

import asyncio
import contextlib
import queue
import threading
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator
from concurrent.futures import CancelledError
from functools import cache
from typing import TypeVar

from agents.errors import Stopped
from agents.stopping import StopSignal

Item = TypeVar("Item")

# A wait without an end cannot be interrupted by Ctrl+C on Windows; elsewhere it can at any time.
_WAKE_SECONDS = 0.2

_starting = threading.Lock()


def iterate(source: AsyncGenerator[Item, None], seconds: float, stop: StopSignal) -> Generator[Item, None, None]:
    """The items of `source`, which runs on the background loop, as they arrive.

    Raises what `source` raises, TimeoutError once it has taken longer than `seconds`, and Stopped when `stop` is
    set. In these cases, when the generator is closed and on KeyboardInterrupt, `source` is cancelled at once.
    """
    arrived: queue.SimpleQueue[tuple[Item, ...]] = queue.SimpleQueue()  # an item, or () at the end

    async def pump() -> None:
        async with asyncio.timeout(seconds), contextlib.aclosing(source):
            async for item in source:
                arrived.put((item,))

    future = asyncio.run_coroutine_threadsafe(pump(), _loop())
    future.add_done_callback(lambda _: arrived.put(()))
    with stop.calling(future.cancel):
        try:
            while item := _next(arrived):
                yield from item
            future.result()
        except CancelledError as error:
            raise Stopped("stopped during a model call") from error
        finally:
            future.cancel()


def start(work: Callable[[], Coroutine[object, object, None]]) -> None:
    """Begins the work on the background loop and waits for nothing."""
    asyncio.run_coroutine_threadsafe(work(), _loop())


def _next(arrived: queue.SimpleQueue[tuple[Item, ...]]) -> tuple[Item, ...]:
    while True:
        with contextlib.suppress(queue.Empty):
            return arrived.get(timeout=_WAKE_SECONDS)


def _loop() -> asyncio.AbstractEventLoop:
    with _starting:  # two first calls at the same time must not make two loops
        return _started_loop()


@cache
def _started_loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="model calls", daemon=True).start()
    return loop
