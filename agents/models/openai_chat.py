"""A model behind any OpenAI-compatible server. The one file that knows the SDK.

The SDK sends the request and holds the connection; it is not asked to retry, since it would also retry what costs
money or cannot succeed. What the server sends is read by `reply`, what it refuses is answered by `accommodations`.
"""

import json
import threading
import time
import weakref
from collections.abc import AsyncGenerator, Generator
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from agents.errors import ModelError, ModelErrorKind, Stopped
from agents.events import ModelRequest, ModelResponse, ReplyDelta
from agents.models import addresses, background
from agents.models.accommodations import Accommodation, Memory, accommodate
from agents.models.explainer import Explainer
from agents.models.refusals import Refused, kind_of, read_refusal
from agents.models.reply import Reply
from agents.models.sse import Fields, read_pieces
from agents.stopping import StopSignal

if TYPE_CHECKING:  # importing openai takes half a second, so it waits until the first request is made
    import httpx2
    from openai import APIConnectionError, AsyncOpenAI
    from openai.types.chat import ChatCompletionMessageParam

# Waits before trying again, in seconds; a server that asks for more than the limit is not tried again.
RETRY_WAITS = (0.5, 1.5)
RETRY_AFTER_LIMIT = 5.0

_MEMORY = Memory()
_CONNECT_SECONDS = 10.0
_NO_KEY = "none"
_RETRYABLE: frozenset[ModelErrorKind] = frozenset({"rate_limit", "server", "connection"})
_HOPELESS_HINTS = frozenset({"local_server_off", "certificate", "proxy_intercepts_localhost"})


class OpenAIChat:
    """A model at an address. `timeout` bounds a whole call in seconds: waiting, reading and every retry together.

    A server that keeps the connection busy without writing anything runs into it too. A key is optional for
    local servers, and so is the model's name. One object may be used by several threads at once.
    """

    def __init__(self, model: str, base_url: str, api_key: str, timeout: float = 60.0) -> None:
        self.name = model.strip() or "default"
        self.base_url = addresses.normalize_base_url(base_url)
        self.timeout = timeout
        self._key = api_key.strip()
        self._explain = Explainer(self.base_url, self._key)
        self._connecting = threading.Lock()
        self._client: AsyncOpenAI | None = None

    def __repr__(self) -> str:
        return f"OpenAIChat({self.name!r})"  # neither the key nor an address, which may hold a password

    def stream(self, request: ModelRequest, stop: StopSignal) -> Generator[ReplyDelta, None, ModelResponse]:
        """Yields the reply piece by piece and returns it whole.

        Raises ModelError and Stopped, both with the partial reply where one was paid for. Closing the generator,
        setting `stop` and KeyboardInterrupt drop the connection at once, also while the server is silent.
        """
        if stop.is_set():
            raise Stopped("stopped before a model call")
        client = self._connect()
        deadline = time.monotonic() + self.timeout
        accommodation = _MEMORY.of(self.base_url, self.name)
        waits = list(RETRY_WAITS)
        retries: tuple[str, ...] = ()
        while True:
            adjustments = accommodation.notes(request) + retries
            changed: Accommodation | None = None
            wanted_wait: float | None = None
            try:
                pieces = self._receive(client, request, accommodation)
                arriving = background.iterate(pieces, deadline - time.monotonic(), stop)
                response = yield from self._read(arriving, request, adjustments)
                _MEMORY.learn(self.base_url, self.name, accommodation)
                return response
            except Refused as refused:
                error, wanted_wait = self._explain.refused(refused.refusal), refused.refusal.retry_after
                changed = accommodate(accommodation, refused.refusal, request)
            except ModelError as failed:
                error = failed
                if error.kind == "empty_stream" and not error.hint and accommodation.streams:
                    changed = replace(accommodation, in_one_piece=True)
            if changed is not None:
                accommodation = changed
                continue
            if not _may_try_again(error, wanted_wait) or not waits:
                raise error
            seconds = max(waits.pop(0), wanted_wait or 0.0)
            retries += (f"Tried again after {seconds:g} s ({error}).",)
            if stop.wait(seconds):
                raise Stopped("stopped before another try")

    def list_models(self) -> list[str]:
        """The names of the models that the server offers. Raises ModelError; nothing is tried twice."""
        client = self._connect()
        try:
            with closing(background.iterate(self._list(client), self.timeout, StopSignal())) as names:
                return list(names)
        except Refused as refused:
            raise self._explain.refused(refused.refusal) from None
        except TimeoutError as late:
            raise self._explain.late(self.timeout) from late

    def _read(
        self, arriving: Generator[Fields, None, None], request: ModelRequest, adjustments: tuple[str, ...]
    ) -> Generator[ReplyDelta, None, ModelResponse]:
        """One try. Raises Refused only as long as the model has not written anything."""
        reply = Reply(request)
        try:
            with closing(arriving):
                for piece in arriving:
                    yield from reply.read(piece)
                    if reply.is_cut:
                        break
        except Stopped as stopped:
            stopped.partial = reply.response("interrupted", adjustments)  # what was sent is paid for, reply or not
            raise
        except TimeoutError as late:
            partial = reply.response("interrupted", adjustments)
            raise self._explain.late(self.timeout, partial) from late
        except Refused as refused:
            if not reply.has_begun:
                raise
            raise self._explain.refused(refused.refusal, reply.response("interrupted", adjustments)) from None
        except ModelError as error:
            if not (error.kind == "connection" and reply.finish_reason):  # else the reply is complete all the same
                error.partial = reply.response("interrupted", adjustments) if reply.has_begun else None
                raise
        try:
            yield from reply.end()
        except ModelError as error:
            error.partial = reply.response(reply.finish_reason, adjustments)
            raise
        if not reply.has_choices:
            raise ModelError("empty_stream")
        return reply.response("stop" if reply.is_cut else reply.finish_reason or "stop", adjustments)

    async def _receive(
        self, client: "AsyncOpenAI", request: ModelRequest, accommodation: Accommodation
    ) -> AsyncGenerator[Fields, None]:
        """The pieces that the server sends. SDK errors become ModelError and Refused here and in `_list`."""
        import httpx2
        import openai

        turns = [{"role": turn.role, "content": turn.content} for turn in accommodation.messages(request)]
        try:
            async with client.chat.completions.with_streaming_response.create(
                model=self.name,
                messages=cast("list[ChatCompletionMessageParam]", turns),
                stream=accommodation.streams,
                extra_body=accommodation.parameters(request),
            ) as response:
                if response.headers.get("server", "").startswith("llama.cpp"):
                    _MEMORY.learn(self.base_url, self.name, Accommodation(reports_timings=True))
                received = response.iter_bytes()
                start = b""
                async for part in received:
                    start += part
                    if start.strip():
                        break
                if start.lstrip()[:1] in (b"{", b"[", b"<"):  # no stream, whatever the header calls it
                    start += b"".join([part async for part in received])
                    yield self._whole(start)
                else:
                    async for piece in read_pieces(start, received):
                        yield piece
        except openai.APIStatusError as error:
            # Not `from error`: the SDK's error repeats the server's words, and with them perhaps the key.
            raise _refused(error.response) from None
        except openai.APIConnectionError as error:
            raise self._no_connection(error) from error
        except httpx2.DecodingError as error:
            raise self._explain.unreadable(str(error)) from error
        except httpx2.RequestError as error:
            raise self._explain.broken(str(error) or type(error).__name__) from error
        except ValueError as error:  # bytes that are no UTF-8, or text that is no JSON
            raise self._explain.unreadable(str(error)) from error

    async def _list(self, client: "AsyncOpenAI") -> AsyncGenerator[str, None]:
        import openai

        try:
            body: object = await client.get("/models", cast_to=object)
        except openai.APIStatusError as error:
            raise _refused(error.response) from None
        except openai.APIConnectionError as error:
            raise self._no_connection(error) from error
        except ValueError as error:
            raise self._explain.unreadable(str(error)) from error
        if isinstance(body, str) and body.lstrip().startswith("<"):
            raise self._explain.web_page(body)
        models = body.get("data", body.get("models")) if isinstance(body, dict) else body
        if not isinstance(models, list):
            raise self._explain.no_reply(read_refusal(200, body).message)
        for model in models:
            name = model.get("id") or model.get("name") if isinstance(model, dict) else None
            if isinstance(name, str):
                yield name

    def _no_connection(self, error: "APIConnectionError") -> ModelError:
        import httpx2

        reason = str(error.__cause__ or error)
        never_began = isinstance(error.__cause__, httpx2.ConnectError | httpx2.ConnectTimeout)
        return self._explain.unreachable(reason) if never_began else self._explain.broken(reason)

    def _whole(self, body: bytes) -> Fields:
        """A reply that came in one piece, whether or not a stream was asked for."""
        if body.lstrip().startswith(b"<"):
            raise self._explain.web_page(body.decode(errors="replace"))
        reply = json.loads(body)
        if isinstance(reply, dict) and isinstance(reply.get("choices"), list) and reply["choices"]:
            return cast("dict[str, object]", reply)
        refusal = read_refusal(200, reply)
        if kind_of(refusal) != "bad_request":
            raise Refused(refusal)
        raise self._explain.no_reply(refusal.message)

    def _connect(self) -> "AsyncOpenAI":
        """The client, made at the first call. Raises ModelError where no request can be sent at all."""
        with self._connecting:
            if self._client is None:
                self._client = self._new_client()
            return self._client

    def _new_client(self) -> "AsyncOpenAI":
        if not all("!" <= character <= "~" for character in self._key):
            raise ModelError("bad_key_characters")
        if not addresses.is_web_address(self.base_url):
            raise ModelError(
                "model_or_url", self._explain.clean(f"'{self.base_url}' is not a web address"), "check_base_url"
            )
        import httpx2
        import openai

        # A proxy is for the world outside; one that is asked for a server on this machine answers 502.
        is_local = addresses.is_loopback(self.base_url)
        timeout = openai.Timeout(None, connect=_CONNECT_SECONDS)
        # Connecting to this machine costs nothing, and llama.cpp often closes a connection just when it is used again.
        limits = httpx2.Limits(max_keepalive_connections=0 if is_local else 20)
        try:
            client = openai.AsyncOpenAI(
                api_key=self._key or _NO_KEY,
                base_url=self.base_url,
                timeout=timeout,
                max_retries=0,
                http_client=openai.DefaultAsyncHttpxClient(timeout=timeout, limits=limits, trust_env=not is_local),
            )
        except httpx2.InvalidURL as error:
            raise ModelError("model_or_url", self._explain.clean(str(error)), "check_base_url") from error
        except (ValueError, ImportError) as error:  # an unknown kind of proxy; socks5 without its package
            raise ModelError("proxy_config", self._explain.clean(str(error)), "proxy_socks") from error
        weakref.finalize(self, background.start, client.close).atexit = False
        return client


def _refused(response: "httpx2.Response") -> Refused:
    """What a response with an error status says."""
    return Refused(read_refusal(response.status_code, response.text, response.headers.get("retry-after", "")))


def _may_try_again(error: ModelError, wanted_wait: float | None) -> bool:
    return (
        error.kind in _RETRYABLE
        and error.hint not in _HOPELESS_HINTS
        and error.partial is None
        and (wanted_wait or 0.0) <= RETRY_AFTER_LIMIT
    )
