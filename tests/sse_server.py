"""A local server that speaks the OpenAI chat interface, for tests: it sends what it is told, byte for byte.

In a test it is a context manager with scripted answers:

    with SSEServer() as server:
        server.answer(Answer(chunks=[text_chunk("hi")]))

and `server.exchanges` says what was asked and how each answer went: finished, or dropped by the client, and when.
Without a script it plays a model whose behaviour is in the model's name, such as `sim-r50-n200-t5-h2`: 50 tokens a
second, 200 tokens, 5 s to the first token, 2 s to the headers; `-f429` refuses with that status, `-fcut` breaks off
in the middle, `-fhang` falls silent there. That is also what `python -m tests.sse_server --port 9000` serves, with
`GET /stats` for the exchanges.
"""

import argparse
import asyncio
import json
import re
import threading
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from http.client import responses
from typing import Any, Self

Json = dict[str, Any]


@dataclass
class Answer:
    """One scripted answer. A chunk is JSON to send as an event, or an instruction (see `_write_chunk`).

    `body` replaces the stream; `done` says whether it ends with [DONE], `hold` keeps the connection open after it.
    """

    status: int = 200
    content_type: str = "text/event-stream"
    body: str | bytes | None = None
    chunks: Sequence[Json] = ()
    done: bool = True
    hold: bool = False
    header_delay: float = 0.0
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Exchange:
    """One request and how its answer went. Times are those of `time.monotonic`."""

    path: str
    body: Json
    headers: dict[str, str] = field(repr=False)
    sent: int = 0
    finished: bool = False
    dropped_at: float | None = None


def text_chunk(text: str, finish_reason: str | None = None) -> Json:
    """A piece of a reply as OpenAI sends it."""
    return {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": finish_reason}]}


def answering(*texts: str) -> list[Answer]:
    """A plain answer for each of these texts."""
    return [Answer(chunks=[text_chunk(text), text_chunk("", "stop")]) for text in texts]


def answer_from_case(case: Json) -> Answer:
    """The answer that the input of a case describes."""
    body = case.get("body")
    return Answer(
        status=case.get("http", 200),
        content_type=case.get("content_type", "application/json"),
        body=body if body is None or isinstance(body, str) else json.dumps(body),
        chunks=[*case.get("chunks", ()), *([{"cut": case["cut"]}] if case.get("cut") else ())],
        done=case.get("done", True),
        headers=case.get("headers", {}),
    )


class SSEServer:
    """The server, on a thread and an event loop of its own, at a free port of 127.0.0.1."""

    def __init__(self, port: int = 0) -> None:
        self.port = port
        self.exchanges: list[Exchange] = []
        self._answers: list[Answer] = []
        self._changed = threading.Condition()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="SSE server", daemon=True)
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        """The base URL for a client."""
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def bodies(self) -> list[Json]:
        """What was asked, in order."""
        return [exchange.body for exchange in self.exchanges]

    def answer(self, *answers: Answer) -> None:
        """Adds answers for the next requests. Once they are used up the server plays the model of the name."""
        self._answers += answers

    def forget(self) -> None:
        """Begins a clean record: no exchanges, and no answers left over."""
        self.exchanges.clear()
        self._answers.clear()

    def wait_until(self, condition: Callable[[], bool], seconds: float = 5.0) -> None:
        """Returns as soon as the condition about the exchanges holds; fails after so many seconds."""
        with self._changed:
            assert self._changed.wait_for(condition, seconds), f"not within {seconds} s: {self.exchanges}"

    def __enter__(self) -> Self:
        self._thread.start()
        starting = asyncio.run_coroutine_threadsafe(
            asyncio.start_server(self._serve, "127.0.0.1", self.port), self._loop
        )
        self._server = starting.result()
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    def __exit__(self, *exception: object) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _close(self) -> None:
        self._server.close()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            await self._connection(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # the client went away, or the server is closed
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first = await reader.read(1)
        while first:
            exchange = await _read_request(first, reader)
            with self._changed:
                self.exchanges.append(exchange)
                self._changed.notify_all()
            # While the answer is sent the client says nothing: a byte belongs to the next request, none means it left.
            next_byte = asyncio.ensure_future(reader.read(1))
            sending = asyncio.ensure_future(self._answer(exchange, writer))
            try:
                await asyncio.wait({next_byte, sending}, return_when=asyncio.FIRST_COMPLETED)
                if not sending.done() and (next_byte.exception() or not next_byte.result()):
                    sending.cancel()
                with suppress(asyncio.CancelledError, ConnectionError):
                    stays_open = await sending
                    if not stays_open:
                        return
                    first = await next_byte
                    continue
                self._record(exchange, dropped=True)
                return
            finally:
                next_byte.cancel()
                sending.cancel()

    def _record(self, exchange: Exchange, dropped: bool = False) -> None:
        with self._changed:
            exchange.finished = not dropped
            exchange.dropped_at = time.monotonic() if dropped else None
            self._changed.notify_all()

    async def _answer(self, exchange: Exchange, writer: asyncio.StreamWriter) -> bool:
        """Sends one answer; returns whether the connection stays open."""
        answer = self._next_answer(exchange)
        await asyncio.sleep(answer.header_delay)
        headers = {"Content-Type": answer.content_type} | answer.headers
        body = answer.body.encode() if isinstance(answer.body, str) else answer.body
        headers |= {"Content-Length": str(len(body))} if body is not None else {"Transfer-Encoding": "chunked"}
        lines = [
            f"HTTP/1.1 {answer.status} {responses.get(answer.status, 'Unknown')}",
            *(f"{name}: {value}" for name, value in headers.items()),
        ]
        writer.write("\r\n".join([*lines, "", ""]).encode())
        if body is not None:
            writer.write(body)
        else:
            for chunk in answer.chunks:
                if chunk.get("cut"):
                    self._record(exchange)
                    await writer.drain()
                    writer.transport.abort() if chunk["cut"] == "reset" else writer.close()
                    return False
                async for data in _bytes_of(chunk):
                    _write(writer, data)
                    await writer.drain()
                    with self._changed:
                        exchange.sent += 1
                        self._changed.notify_all()
            if answer.done:
                _write(writer, b"data: [DONE]\n\n")
            if answer.hold:
                await asyncio.Event().wait()
            writer.write(b"0\r\n\r\n")
        await writer.drain()
        self._record(exchange)
        return True

    def _next_answer(self, exchange: Exchange) -> Answer:
        if exchange.path.endswith("/stats"):
            return _json_answer([asdict(other) | {"headers": {}} for other in self.exchanges if other.body])
        if self._answers:
            return self._answers.pop(0)
        if exchange.path.endswith("/models"):
            return _json_answer({"object": "list", "data": [{"id": "sim-r50-n200"}, {"id": "sim-r20-n60-t2"}]})
        return _simulated(str(exchange.body.get("model", "")), exchange.body)


async def _read_request(first: bytes, reader: asyncio.StreamReader) -> Exchange:
    request_line, *lines = (first + await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Exchange(request_line.split(" ")[1], json.loads(body) if body else {}, headers)


def _write(writer: asyncio.StreamWriter, data: bytes) -> None:
    writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")


async def _bytes_of(chunk: Json) -> AsyncIterator[bytes]:
    """The bytes of a chunk, after the pause that it asks for.

    `_sleep_s` waits, before the event if it holds one. `_raw` and `_raw_bytes_hex` are sent as they are. `_comment`
    is repeated `times`, `every_s`. `_split` is a text sent as an event whose bytes come one by one. `_event` names
    the event.
    """
    if "_sleep_s" in chunk:
        await asyncio.sleep(chunk["_sleep_s"])
    event = {name: value for name, value in chunk.items() if name not in ("_sleep_s", "_event")}
    if "_raw" in chunk:
        yield chunk["_raw"].encode()
    elif "_raw_bytes_hex" in chunk:
        yield bytes.fromhex(chunk["_raw_bytes_hex"])
    elif "_comment" in chunk:
        for _ in range(chunk.get("times", 1)):
            await asyncio.sleep(chunk.get("every_s", 0))
            yield f"{chunk['_comment']}\n\n".encode()
    elif "_split" in chunk:
        data = json.dumps(text_chunk(chunk["_split"]), ensure_ascii=False).encode()
        for byte in b"data: " + data + b"\n\n":
            yield bytes([byte])
    elif event:
        name = f"event: {chunk['_event']}\n" if "_event" in chunk else ""
        yield f"{name}data: {json.dumps(event, ensure_ascii=False)}\n\n".encode()


def _json_answer(body: object, status: int = 200) -> Answer:
    return Answer(status, "application/json", json.dumps(body))


def _simulated(model: str, request: Json) -> Answer:
    """The answer of the model with this name, as the module's first lines explain it."""
    numbers = {letter: float(value) for letter, value in re.findall(r"-([rnth])(\d+(?:\.\d+)?)", model)}
    fault = next(iter(re.findall(r"-f(\w+)", model)), "")
    if fault.isdecimal():
        message = f"This model always answers {fault}."
        return _json_answer({"error": {"message": message, "code": fault}}, int(fault))
    count = min(int(numbers.get("n", 20)), request.get("max_tokens", 1_000_000))
    words = ["Thought:", *(f" word{number}" for number in range(2, count)), "\nAction: Finish[42]"][:count]
    chunks = [text_chunk(word) | {"_sleep_s": 1 / numbers.get("r", 1000)} for word in words]
    chunks[0]["_sleep_s"] = numbers.get("t", 0)
    middle = len(chunks) // 2
    usage = {"prompt_tokens": 40, "completion_tokens": count, "total_tokens": 40 + count}
    chunks += [text_chunk("", "stop"), {"choices": [], "usage": usage}]
    chunks = {"cut": [*chunks[:middle], {"cut": True}], "hang": chunks[:middle]}.get(fault, chunks)
    return Answer(chunks=chunks, done=not fault, hold=fault == "hang", header_delay=numbers.get("h", 0))


def main() -> None:
    """Serves the models of the name until it is interrupted."""
    parser = argparse.ArgumentParser(description="A fake OpenAI-compatible server for tests.")
    parser.add_argument("--port", type=int, default=9000)
    with SSEServer(parser.parse_args().port) as server, suppress(KeyboardInterrupt):
        print(f"listening on {server.url}", flush=True)  # noqa: T201 - for the one who started it
        threading.Event().wait()


if __name__ == "__main__":
    main()
