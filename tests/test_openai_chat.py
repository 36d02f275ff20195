"""The client against a real local server: every case of `cases/model_streams.jsonl`, and stopping, retries, keys."""

import json
import signal
import threading
import time
import traceback
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agents.errors import CallEnded, ModelError, ModelErrorKind, Stopped
from agents.events import Message, ModelRequest, ModelResponse, ReplyDelta, ToolCall, Usage
from agents.models import openai_chat
from agents.models.openai_chat import OpenAIChat
from agents.stopping import StopSignal
from tests.sse_server import Answer, Json, SSEServer, answer_from_case, text_chunk

CASES: dict[str, Json] = {
    case["id"]: case
    for case in map(json.loads, (Path(__file__).parent / "cases/model_streams.jsonl").read_text("utf-8").splitlines())
}
STREAMED = ["D01", "D02", "D03", "D04", "D05", "D06", "D09", "D12", "D14", "D19", "D26", "D52"]
FAILED: dict[str, tuple[ModelErrorKind, str]] = {  # kind and hint
    "D13": ("content_filter", ""),
    "D15": ("server", ""),
    "D17": ("empty_stream", "check_base_url"),
    "D18": ("web_page", "check_base_url"),
    "D22": ("timeout", ""),
    "D25": ("protocol", ""),
    "D28": ("model_or_url", ""),
    "D30": ("quota", ""),
    "D31": ("server", "proxy_intercepts_localhost"),
}
REFUSED = ["D08", "D32", "D33", "D35"]
ADDRESSES = ["D39", "D40", "D41", "D42", "D43", "D45"]  # in test_addresses
OTHERS = ["D37", "D38", "D47", "D49", "D50"]

KEY = "sk-secret-0123456789"
MESSAGES = (Message("system", "Be brief."), Message("user", "Question?"))
REQUEST = ModelRequest("answer", MESSAGES, stop=("Observation",), temperature=0.0, max_tokens=50)
OK = Answer(chunks=[text_chunk("ok"), text_chunk("", "stop")])
OK_WITHOUT_STREAM = Answer(
    content_type="application/json", body='{"choices": [{"message": {"content": "ok"}, "finish_reason": "stop"}]}'
)
SILENT = Answer(chunks=[{"_sleep_s": 5}])
SILENT_BEFORE_HEADERS = replace(OK, header_delay=5.0)
SILENT_IN_THE_MIDDLE = Answer(chunks=[text_chunk("Thought: half"), {"_sleep_s": 5}])
BUSY = [text_chunk("word ") | {"_sleep_s": 0.01}] * 500


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test profits from what another one found out about a server, and none waits long."""
    openai_chat._MEMORY.clear()
    monkeypatch.setattr(openai_chat, "RETRY_WAITS", (0.01, 0.02))


@pytest.fixture
def server() -> Iterator[SSEServer]:
    with SSEServer() as running:
        yield running


@pytest.fixture
def model(server: SSEServer) -> OpenAIChat:
    return OpenAIChat("sim-r500-n5", server.url, KEY, timeout=10.0)


Outcome = tuple[list[ReplyDelta], ModelResponse | CallEnded]


def drained(stream: Generator[ReplyDelta, None, ModelResponse]) -> Outcome:
    """The deltas, and what the call came to."""
    deltas: list[ReplyDelta] = []
    while True:
        try:
            deltas.append(next(stream))
        except StopIteration as end:
            return deltas, end.value
        except CallEnded as ended:
            return deltas, ended


def reply_of(model: OpenAIChat, request: ModelRequest = REQUEST) -> ModelResponse:
    _, response = drained(model.stream(request, StopSignal()))
    assert isinstance(response, ModelResponse), response
    return response


def failure_of(model: OpenAIChat, request: ModelRequest = REQUEST) -> ModelError:
    _, error = drained(model.stream(request, StopSignal()))
    assert isinstance(error, ModelError), error
    return error


def described(response: ModelResponse) -> Json:
    """The response in the words of the cases."""
    usage = response.usage
    reported = {"prompt_tokens": usage.input_tokens, "completion_tokens": usage.output_tokens}
    return {
        "text": response.text,
        "reasoning": response.reasoning,
        "truncated": response.finish_reason == "length",
        "usage": None if usage.estimated else reported | {"total_tokens": usage.input_tokens + usage.output_tokens},
        "tool_call": response.tool_call and {"name": response.tool_call.name, "input": response.tool_call.input},
    }


def test_every_case_has_a_test() -> None:
    assert {*STREAMED, *FAILED, *REFUSED, *ADDRESSES, *OTHERS} == set(CASES)


@pytest.mark.parametrize("name", STREAMED)
def test_reads_a_reply(name: str, server: SSEServer, model: OpenAIChat) -> None:
    server.answer(answer_from_case(CASES[name]["input"]))
    deltas, response = drained(model.stream(REQUEST, StopSignal()))
    assert isinstance(response, ModelResponse)
    got = described(response)
    assert got | CASES[name]["expected"] == got | {
        key: CASES[name]["expected"][key]
        for key in ("error", "policy", "no_replacement_char", "never_shown_live")
        if key in CASES[name]["expected"]
    }
    assert "".join(delta.text for delta in deltas if not delta.is_reasoning) == response.text
    assert "".join(delta.text for delta in deltas if delta.is_reasoning) == response.reasoning


@pytest.mark.parametrize("name", FAILED)
def test_reports_a_failure(name: str, server: SSEServer) -> None:
    case = CASES[name]
    model = OpenAIChat("m", server.url, KEY, timeout=case["input"].get("client_timeout_s", 10.0))
    answer = answer_from_case(case["input"])
    server.answer(answer, answer, answer)
    error = failure_of(model)
    assert (error.kind, error.hint) == FAILED[name]
    text = error.partial.text if error.partial else ""
    assert text == case["expected"].get("partial", case["expected"].get("text", {"D22": "A"}.get(name, "")))
    assert case["expected"].get("message_contains", "") in error.detail
    assert "<" not in error.detail


@pytest.mark.parametrize("name", REFUSED)
def test_leaves_out_what_the_server_refuses_and_remembers_it(name: str, server: SSEServer, model: OpenAIChat) -> None:
    case = CASES[name]
    status = case["input"]["http"]
    refusal = answer_from_case({**case["input"], "http": status[0] if isinstance(status, list) else status})
    server.answer(refusal, OK, OK)
    first, second = reply_of(model), reply_of(OpenAIChat(model.name, server.url, "another key".replace(" ", "-")))
    [refused] = case["expected"]["retried_without"]
    assert (first.text, second.text) == ("ok", "ok")
    assert [refused in body for body in server.bodies] == [True, False, False]
    assert first.adjustments == second.adjustments
    assert f"'{refused}'" in first.adjustments[0]


def test_merges_roles_that_the_server_refuses(server: SSEServer, model: OpenAIChat) -> None:
    server.answer(answer_from_case(CASES["D37"]["input"]), OK)
    request = replace(REQUEST, messages=(*MESSAGES, Message("user", "More."), Message("assistant", "Well.")))
    response = reply_of(model, request)
    assert server.bodies[1]["messages"] == [
        {"role": "user", "content": "Be brief.\n\nQuestion?\n\nMore."},
        {"role": "assistant", "content": "Well."},
    ]
    assert "merged into the first user message" in response.adjustments[0]


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (400, "Only user and assistant roles are supported!"),
        (400, "Developer instruction is not enabled for models/gemma-3-27b-it"),
        (422, "messages: Unexpected role 'system'."),
        (500, "Jinja Exception: System role not supported"),
        (400, "first message must use the 'user' role"),
        (400, "Cannot have 2 or more assistant messages at the end of the list."),
    ],
)
def test_knows_the_words_for_refused_roles(status: int, message: str, server: SSEServer, model: OpenAIChat) -> None:
    server.answer(Answer(status, body=json.dumps({"error": {"message": message}})), OK)
    assert reply_of(model).text == "ok"
    assert [turn["role"] for turn in server.bodies[1]["messages"]] == ["user"]


def test_asks_for_the_reply_in_one_piece_where_streaming_is_refused(server: SSEServer, model: OpenAIChat) -> None:
    refusal = {"error": {"message": "Your organization must be verified to stream this model.", "param": "stream"}}
    server.answer(Answer(400, body=json.dumps(refusal)), OK_WITHOUT_STREAM, OK_WITHOUT_STREAM)
    assert reply_of(model).adjustments == reply_of(model).adjustments != ()
    assert [body["stream"] for body in server.bodies] == [True, False, False]


def test_switches_thinking_off_where_the_server_thinks_only_in_streams(server: SSEServer, model: OpenAIChat) -> None:
    server.answer(Answer(), answer_from_case(CASES["D38"]["input"]), OK_WITHOUT_STREAM)
    assert reply_of(model).text == "ok"
    assert [body["stream"] for body in server.bodies] == [True, False, False]
    assert server.bodies[2]["enable_thinking"] is False


@pytest.mark.parametrize("key", [CASES["D47"]["input"]["api_key"], "sk-a\nb", "sk a", "密钥"])
def test_refuses_a_key_that_cannot_be_sent(key: str, server: SSEServer) -> None:
    assert failure_of(OpenAIChat("m", server.url, key)).kind == "bad_key_characters"
    assert server.exchanges == []


def test_refuses_a_proxy_of_an_unknown_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", CASES["D49"]["input"]["env"]["ALL_PROXY"])
    error = failure_of(OpenAIChat("m", "https://api.example.invalid/v1", KEY))
    assert (error.kind, error.hint) == ("proxy_config", "proxy_socks")


def test_asks_no_proxy_for_a_server_on_this_machine(
    monkeypatch: pytest.MonkeyPatch, server: SSEServer, model: OpenAIChat
) -> None:
    monkeypatch.setenv("ALL_PROXY", "socks://127.0.0.1:9")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    server.answer(OK)
    assert reply_of(model).text == "ok"


def test_keeps_what_came_before_an_error(server: SSEServer, model: OpenAIChat) -> None:
    limit = {"error": {"message": "Rate limit reached", "code": 429, "type": "rate_limit_error"}}
    server.answer(Answer(chunks=[text_chunk(CASES["D50"]["input"]["after_text"]), limit]))
    error = failure_of(model)
    assert error.kind == "rate_limit"
    assert error.partial is not None
    assert (error.partial.text, error.partial.finish_reason) == (CASES["D50"]["expected"]["partial"], "interrupted")
    assert len(server.exchanges) == 1


@pytest.mark.parametrize(
    ("last", "kind"),
    [
        ({"cut": "reset"}, "connection"),
        ({"cut": True}, "connection"),
        ({"_raw": "data: {broken\n\n"}, "protocol"),
        ({"_event": "error", "message": "overloaded", "code": 503}, "server"),
        ({"object": "error", "message": "maximum context length is 4096 tokens", "code": 400}, "context_length"),
        ({"error": "plain words", "choices": [{"delta": {"content": ""}, "finish_reason": "error"}]}, "server"),
        (text_chunk("", "error"), "server"),
    ],
)
def test_a_stream_that_breaks_off_is_a_failure_with_a_partial_reply(
    last: Json, kind: str, server: SSEServer, model: OpenAIChat
) -> None:
    server.answer(Answer(chunks=[text_chunk("half"), last], done=False))
    error = failure_of(model)
    assert error.kind == kind
    assert error.partial is not None
    assert error.partial.text == "half"


@pytest.mark.parametrize(
    "answer",
    [
        Answer(chunks=[text_chunk("ok", "stop"), {"cut": True}]),
        Answer(chunks=[text_chunk("ok", "stop")], done=False),
        Answer(chunks=[text_chunk("ok")], hold=True),
        Answer(
            chunks=[{"_comment": ": PROCESSING"}, {"_raw": "data:\n\nevent: ping\r\n\r\n"}, text_chunk("ok", "stop")]
        ),
        Answer(chunks=[{"_raw": 'data:{"choices":[{"delta":{"content":[{"type":"text","text":"ok"}]}}]}\r\n\r\n'}]),
        Answer(chunks=[{"choices": [{"delta": {"refusal": "ok"}, "finish_reason": "stop"}]}]),
        Answer(content_type="application/json", chunks=[text_chunk("ok", "stop")]),
        Answer(content_type="text/plain", body='\ufeff\n{"choices": [{"message": {"content": "ok"}}]}'.strip("\ufeff")),
    ],
)
def test_bears_what_servers_do_about_the_end_and_the_form_of_a_stream(
    answer: Answer, server: SSEServer, model: OpenAIChat
) -> None:
    server.answer(answer)
    assert reply_of(model).text == "ok"


# Stopping


def silent_or_busy() -> list[Any]:
    return [
        pytest.param(SILENT_BEFORE_HEADERS, 0, "", id="before the headers"),
        pytest.param(SILENT, 0, "", id="before the first token"),
        pytest.param(SILENT_IN_THE_MIDDLE, 1, "Thought: half", id="silent in the middle"),
        pytest.param(Answer(chunks=BUSY), 3, "word word ", id="busy"),
    ]


@pytest.mark.parametrize(("answer", "sent", "text"), silent_or_busy())
def test_stop_from_another_thread_drops_the_connection_at_once(
    answer: Answer, sent: int, text: str, server: SSEServer, model: OpenAIChat
) -> None:
    server.answer(answer)
    stop = StopSignal()
    stopped_at: list[float] = []

    def stop_when_it_runs() -> None:
        server.wait_until(lambda: bool(server.exchanges) and server.exchanges[0].sent >= sent)
        stopped_at.append(time.monotonic())
        stop.set()

    stopper = threading.Thread(target=stop_when_it_runs)
    stopper.start()
    _, ended = drained(model.stream(REQUEST, stop))
    returned_at = time.monotonic()
    stopper.join()
    server.wait_until(lambda: server.exchanges[0].dropped_at is not None)
    assert isinstance(ended, Stopped)
    assert ended.partial is not None
    assert ended.partial.text.startswith(text) or text.startswith(ended.partial.text)
    assert ended.partial.finish_reason == "interrupted"
    assert ended.partial.usage.estimated
    assert ended.partial.usage.input_tokens > 0
    assert (server.exchanges[0].dropped_at or 0) - stopped_at[0] < 0.2
    assert returned_at - stopped_at[0] < 0.2


@pytest.mark.parametrize("answer", [SILENT_IN_THE_MIDDLE, Answer(chunks=BUSY)], ids=["silent", "busy"])
def test_closing_the_generator_drops_the_connection_at_once(
    answer: Answer, server: SSEServer, model: OpenAIChat
) -> None:
    server.answer(answer)
    stream = model.stream(REQUEST, StopSignal())
    next(stream)
    closed_at = time.monotonic()
    stream.close()
    server.wait_until(lambda: server.exchanges[0].dropped_at is not None)
    assert (server.exchanges[0].dropped_at or 0) - closed_at < 0.2


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C as in a terminal: a test run in the background would ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("answer", [SILENT_BEFORE_HEADERS, SILENT], ids=["before the headers", "before a token"])
def test_ctrl_c_drops_the_connection_at_once(answer: Answer, server: SSEServer, model: OpenAIChat) -> None:
    server.answer(answer)
    pressed_at: list[float] = []

    def press() -> None:
        server.wait_until(lambda: bool(server.exchanges))
        pressed_at.append(time.monotonic())
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    threading.Thread(target=press).start()
    with pytest.raises(KeyboardInterrupt):
        drained(model.stream(REQUEST, StopSignal()))
    server.wait_until(lambda: server.exchanges[0].dropped_at is not None)
    assert (server.exchanges[0].dropped_at or 0) - pressed_at[0] < 0.2


def test_a_stop_before_the_call_sends_nothing(server: SSEServer, model: OpenAIChat) -> None:
    stop = StopSignal()
    stop.set()
    _, ended = drained(model.stream(REQUEST, stop))
    assert isinstance(ended, Stopped)
    assert ended.partial is None
    assert server.exchanges == []


def test_a_stop_ends_the_wait_before_another_try(
    monkeypatch: pytest.MonkeyPatch, server: SSEServer, model: OpenAIChat
) -> None:
    monkeypatch.setattr(openai_chat, "RETRY_WAITS", (30.0,))
    server.answer(Answer(503, body="busy"))
    stop = StopSignal()

    def stop_after_the_refusal() -> None:
        server.wait_until(lambda: any(exchange.finished for exchange in server.exchanges))
        stop.set()

    stopper = threading.Thread(target=stop_after_the_refusal)
    stopper.start()
    started = time.monotonic()
    _, ended = drained(model.stream(REQUEST, stop))
    stopper.join()
    assert isinstance(ended, Stopped)
    assert time.monotonic() - started < 2


def test_the_time_limit_holds_for_silence_and_keeps_what_was_paid_for(server: SSEServer) -> None:
    server.answer(SILENT_BEFORE_HEADERS)
    error = failure_of(OpenAIChat("m", server.url, KEY, timeout=0.2))
    assert error.kind == "timeout"
    assert error.partial is not None
    assert error.partial.usage.input_tokens > 0
    server.wait_until(lambda: server.exchanges[0].dropped_at is not None)


# Cutting at stop strings


def test_cuts_at_a_stop_string_that_the_server_ignores_and_ends_the_call(server: SSEServer, model: OpenAIChat) -> None:
    server.answer(Answer(chunks=[text_chunk("Action: a\nObs"), text_chunk("ervation: made up"), *BUSY]))
    deltas, response = drained(model.stream(REQUEST, StopSignal()))
    assert isinstance(response, ModelResponse)
    assert (response.text, response.finish_reason) == ("Action: a\n", "stop")
    assert response.usage.estimated
    assert "".join(delta.text for delta in deltas) == "Action: a\n"
    server.wait_until(lambda: server.exchanges[0].dropped_at is not None)


def test_a_beginning_of_a_stop_string_that_comes_to_nothing_is_text(server: SSEServer, model: OpenAIChat) -> None:
    server.answer(Answer(chunks=[text_chunk("Obs"), text_chunk("erve. Obser", "stop")]))
    assert reply_of(model).text == "Observe. Obser"


def test_a_llama_cpp_server_counts_the_tokens_of_a_cut_reply(server: SSEServer, model: OpenAIChat) -> None:
    timings = {"timings": {"cache_n": 30, "prompt_n": 5, "predicted_n": 4}}
    cut = Answer(chunks=[text_chunk("a Observation") | timings, *BUSY], headers={"Server": "llama.cpp"})
    server.answer(replace(OK, headers={"Server": "llama.cpp"}), cut)
    reply_of(model)
    assert reply_of(model).usage == Usage(35, 4, cached_tokens=30)
    assert [body.get("timings_per_token") for body in server.bodies] == [None, True]


# Refusals and retries


def test_answers_several_refusals_one_after_the_other(server: SSEServer, model: OpenAIChat) -> None:
    server.answer(
        Answer(400, body='{"error": {"message": "Use \'max_completion_tokens\' instead.", "param": "max_tokens"}}'),
        Answer(422, body='{"detail": [{"loc": ["body", "stop"], "msg": "extra fields not permitted"}]}'),
        Answer(400, body='{"message": "invalid temperature: only 1 is allowed"}'),
        OK,
    )
    response = reply_of(model)
    assert response.text == "ok"
    assert len(response.adjustments) == 3
    assert server.bodies[-1].keys() == {"model", "messages", "stream", "stream_options", "max_completion_tokens"}


def test_what_was_refused_without_a_later_success_is_not_remembered(server: SSEServer, model: OpenAIChat) -> None:
    refusal = Answer(400, body='{"error": {"message": "Please stop."}}')
    server.answer(refusal, refusal, OK)
    assert failure_of(model).kind == "bad_request"
    assert reply_of(model).adjustments == ()


@pytest.mark.parametrize(
    "answer",
    [
        Answer(429, body='{"error": {"message": "Rate limit reached"}}', headers={"Retry-After": "0"}),
        Answer(503, body="busy"),
        Answer(0, body="not HTTP"),
        Answer(chunks=[{"_comment": ": waiting"}, {"cut": "reset"}]),
        Answer(chunks=[{"error": {"message": "upstream overloaded", "code": "502"}}]),
    ],
    ids=["rate limit", "503", "not HTTP", "cut before a token", "error before a token"],
)
def test_tries_again_as_long_as_nothing_was_written(answer: Answer, server: SSEServer, model: OpenAIChat) -> None:
    server.answer(answer, answer, OK)
    response = reply_of(model)
    assert response.text == "ok"
    assert [note[:11] for note in response.adjustments] == ["Tried again", "Tried again"]


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (Answer(401, body='{"error": {"message": "Incorrect API key provided"}}'), "auth"),
        (Answer(402, body='{"error": {"message": "Insufficient Balance"}}'), "quota"),
        (Answer(429, body='{"error": {"code": "1113", "message": "您的账户已欠费，请充值后重试。"}}'), "quota"),
        (Answer(429, body='{"error": {"message": "Rate limit"}}', headers={"Retry-After": "3600"}), "rate_limit"),
        (Answer(400, body='{"error": {"message": "The maximum context length is 8192 tokens"}}'), "context_length"),
        (Answer(400, body='{"error": {"type": "exceed_context_size_error", "message": "too big"}}'), "context_length"),
        (Answer(400, body='{"error": {"message": "Content Exists Risk"}}'), "content_filter"),
        (Answer(400, body='{"error": {"message": "Model Not Exist"}}'), "model_or_url"),
        (Answer(403, body="<html>Forbidden</html>"), "auth"),
        (Answer(400, body='{"error": {"message": "messages must not be empty"}}'), "bad_request"),
    ],
)  # fmt: skip
def test_does_not_try_again_what_cannot_succeed(
    answer: Answer, kind: str, server: SSEServer, model: OpenAIChat
) -> None:
    server.answer(answer)
    assert failure_of(model).kind == kind
    assert len(server.exchanges) == 1


def test_says_that_the_local_server_is_off() -> None:
    with SSEServer() as closed_soon:
        url = closed_soon.url
    error = failure_of(OpenAIChat("m", url, KEY))
    assert (error.kind, error.hint) == ("connection", "local_server_off")


@pytest.mark.parametrize("url", ["", "ftp://example.com", "http://localhost:abc"])
def test_says_that_an_address_is_none(url: str) -> None:
    assert failure_of(OpenAIChat("m", url, KEY)).kind == "model_or_url"


# Reasoning, tool calls, usage


@pytest.mark.parametrize(
    ("pieces", "text", "reasoning"),
    [
        (["why</thi", "nk>\n\nso"], "so", "why"),
        (["\n<thinking>why</thinking> so"], "so", "why"),
        (["<think>never ended"], "", "never ended"),
        (["a < b and <b>c</b> <thin"], "a < b and <b>c</b> <thin", ""),
    ],
)
def test_keeps_reasoning_and_text_apart(
    pieces: list[str], text: str, reasoning: str, server: SSEServer, model: OpenAIChat
) -> None:
    server.answer(Answer(chunks=list(map(text_chunk, pieces))))
    response = reply_of(model)
    assert (response.text, response.reasoning) == (text, reasoning)


@pytest.mark.parametrize(
    ("arguments", "tool_input"),
    [('{"a": 1, "b": 2}', '{"a": 1, "b": 2}'), ('{"a": "x"}', "x"), ("not json", "not json"), ('"x"', "x"), ("", "")],
)
def test_reads_a_native_tool_call(arguments: str, tool_input: str, server: SSEServer, model: OpenAIChat) -> None:
    call = {"index": 0, "function": {"name": "Search", "arguments": arguments}}
    server.answer(Answer(chunks=[{"choices": [{"delta": {"tool_calls": [call]}, "finish_reason": "tool_calls"}]}]))
    assert reply_of(model).tool_call == ToolCall("Search", tool_input)


@pytest.mark.parametrize(
    "reported",
    [
        {"prompt_tokens_details": {"cached_tokens": 7}},
        {"prompt_cache_hit_tokens": 7, "prompt_cache_miss_tokens": 3},
        {"cached_tokens": 7},
    ],
)
def test_reads_the_cached_tokens(reported: Json, server: SSEServer, model: OpenAIChat) -> None:
    usage = {"prompt_tokens": 10, "completion_tokens": 2} | reported
    server.answer(Answer(chunks=[text_chunk("ok", "stop"), {"choices": [], "usage": usage}]))
    assert reply_of(model).usage == Usage(10, 2, cached_tokens=7)


@pytest.mark.parametrize(
    ("word", "finish_reason"), [("stop", "stop"), ("length", "length"), ("MAX_TOKENS", "length"), ("eos", "eos")]
)
def test_tells_why_the_reply_ended(word: str, finish_reason: str, server: SSEServer, model: OpenAIChat) -> None:
    server.answer(Answer(chunks=[text_chunk("x", word)]))
    assert reply_of(model).finish_reason == finish_reason


def test_an_estimate_counts_at_least_the_pieces(server: SSEServer, model: OpenAIChat) -> None:
    server.answer(Answer(chunks=[text_chunk("1")] * 9))
    assert reply_of(model).usage.output_tokens == 9


def test_times_are_measured(server: SSEServer, model: OpenAIChat) -> None:
    server.answer(Answer(chunks=[{"_sleep_s": 0.1}, text_chunk("ok"), {"_sleep_s": 0.1}, text_chunk("", "stop")]))
    response = reply_of(model)
    assert response.first_token_seconds is not None
    assert 0.05 < response.first_token_seconds < response.seconds - 0.05


# Keys


def raised(action: Callable[[], object]) -> str:
    with pytest.raises(ModelError) as caught:
        action()
    return "".join(traceback.format_exception(caught.value)) + repr(vars(caught.value))


@pytest.mark.parametrize(
    "answer",
    [
        Answer(401, body=json.dumps({"error": {"message": f"Incorrect API key provided: {KEY}."}})),
        Answer(500, body=f"<pre>Authorization: Bearer {KEY}</pre>"),
        Answer(chunks=[text_chunk("x"), {"error": {"message": f"bad key {KEY}"}}]),
        Answer(content_type="text/html", body=f"<html>{KEY}</html>"),
    ],
)
def test_the_key_is_in_no_error(answer: Answer, server: SSEServer, model: OpenAIChat) -> None:
    server.answer(answer, answer, answer)
    assert KEY not in raised(lambda: list(model.stream(REQUEST, StopSignal())))


def test_the_key_is_sent_to_its_server_and_not_shown(server: SSEServer, model: OpenAIChat) -> None:
    server.answer(OK)
    response = reply_of(model)
    assert server.exchanges[0].headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in repr(model) + repr(response)


def test_a_long_answer_of_the_server_is_cut(server: SSEServer, model: OpenAIChat) -> None:
    server.answer(Answer(400, body=json.dumps({"error": {"message": "x" * 1000}})))
    assert len(failure_of(model).detail) == 300


# Several at once, and the list of models


def test_lists_the_models(model: OpenAIChat) -> None:
    assert model.list_models() == ["sim-r50-n200", "sim-r20-n60-t2"]


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (Answer(401, body='{"error": "no"}'), "auth"),
        (Answer(404, body="404 page not found"), "model_or_url"),
        (Answer(content_type="text/html", body="<html>console</html>"), "web_page"),
        (Answer(content_type="application/json", body='{"error": "Unexpected endpoint"}'), "empty_stream"),
        (Answer(content_type="application/json", body="{broken"), "protocol"),
    ],
)
def test_says_why_the_models_cannot_be_listed(answer: Answer, kind: str, server: SSEServer, model: OpenAIChat) -> None:
    server.answer(answer)
    with pytest.raises(ModelError) as caught:
        model.list_models()
    assert caught.value.kind == kind


def test_several_threads_share_one_model(server: SSEServer, model: OpenAIChat) -> None:
    replies: list[ModelResponse] = []
    threads = [threading.Thread(target=lambda: replies.append(reply_of(model))) for _ in range(5)]
    [thread.start() for thread in threads]  # type: ignore[func-returns-value]  # all have to run before one is joined
    [thread.join() for thread in threads]  # type: ignore[func-returns-value]
    assert [reply.text for reply in replies] == ["Thought: word2 word3 word4\nAction: Finish[42]"] * 5
