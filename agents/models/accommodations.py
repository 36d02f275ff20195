"""What a server does not take, and how a request is changed so that it does.

Each server behind an "OpenAI-compatible" address refuses something else. It is found out by asking, not from a list
of model names, which would be out of date tomorrow: what is refused is left out and remembered for that address and
model, so that the refusal is met once.
"""

import re
import threading
from dataclasses import dataclass, replace

from agents.events import Message, ModelRequest
from agents.models.refusals import Refusal, kind_of

# Every name under which a server may complain about a parameter.
_NAMES: dict[str, tuple[str, ...]] = {
    "stream_options": ("stream_options", "stream options", "include_usage"),
    "temperature": ("temperature",),
    "stop": ("stop", "stop sequences", "stop_sequences"),
    "max_tokens": ("max_tokens", "max_completion_tokens"),
    "timings_per_token": ("timings_per_token",),
}
_ROLES = re.compile(
    r"\broles?\b.{0,80}(alternat|not? support|unsupported|invalid|only|must be|not one of)|"
    r"(only|unsupported|unexpected|invalid|unknown|must use|must be|must start|must have).{0,60}\broles?\b|"
    r"system['\" ]*(role|message|prompt|instruction)s?.{0,40}(not|n't|unsupported|only|first|beginning)|"
    r"(not support|unsupported|n't support).{0,40}system|developer instruction|alternat.{0,20}user|"
    r"'system' is not|should be 'user'|or more (user|assistant) messages|consecutive.{0,40}messages",
    re.IGNORECASE | re.DOTALL,
)
_STREAM = re.compile(
    r"^stream:|verified to stream|stream(ing)?['\"]? (mode |output )?(is |are )?(not supported|unsupported)|"
    r"(not|n't) support stream(ing)?\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Accommodation:
    """How requests to one server are changed. `reports_timings`: it is a llama.cpp, which can count every token.

    `in_one_piece` and `without_thinking` belong to a single call and are not remembered: an empty stream may be a
    chance fault, and a server that streams again should be let.
    """

    left_out: frozenset[str] = frozenset()
    renames_max_tokens: bool = False
    merges_roles: bool = False
    reports_timings: bool = False
    in_one_piece: bool = False
    without_thinking: bool = False

    @property
    def streams(self) -> bool:
        """Whether the reply is asked for as a stream."""
        return not self.in_one_piece and "stream" not in self.left_out

    def joined(self, other: "Accommodation") -> "Accommodation":
        """Both together, as far as they outlast a call."""
        return Accommodation(
            self.left_out | other.left_out,
            self.renames_max_tokens or other.renames_max_tokens,
            self.merges_roles or other.merges_roles,
            self.reports_timings or other.reports_timings,
        )

    def messages(self, request: ModelRequest) -> tuple[Message, ...]:
        """The turns to send."""
        return _merged(request.messages) if self.merges_roles else request.messages

    def parameters(self, request: ModelRequest) -> dict[str, object]:
        """The parameters to send beside model, messages and stream."""
        max_tokens = "max_completion_tokens" if self.renames_max_tokens else "max_tokens"
        wanted: dict[str, object] = {
            "temperature": request.temperature,
            max_tokens: request.max_tokens,
        }
        if self.streams:
            wanted["stream_options"] = {"include_usage": True}
        if request.stop:
            wanted["stop"] = list(request.stop)
        if self.reports_timings:
            wanted["timings_per_token"] = True
        if self.without_thinking:
            wanted["enable_thinking"] = False
        refused = {"max_completion_tokens" if name == "max_tokens" else name for name in self.left_out} | self.left_out
        return {name: value for name, value in wanted.items() if name not in refused}

    def notes(self, request: ModelRequest) -> tuple[str, ...]:
        """What was changed about this request, in sentences."""
        return tuple(sentence for applies, sentence in self._notes(request) if applies)

    def _notes(self, request: ModelRequest) -> list[tuple[bool, str]]:
        return [
            ("temperature" in self.left_out, "The server does not take 'temperature', so it was left out."),
            (
                "stop" in self.left_out and bool(request.stop),
                "The server does not take 'stop', so it was left out and the reply is cut here instead.",
            ),
            ("stream_options" in self.left_out, "The server does not take 'stream_options', so it was left out."),
            ("max_tokens" in self.left_out, "The server does not take 'max_tokens', so it was left out."),
            (
                self.renames_max_tokens and "max_tokens" not in self.left_out,
                "The server wants 'max_tokens' under the name 'max_completion_tokens'.",
            ),
            (
                self.merges_roles and self.messages(request) != request.messages,
                "The server does not take these roles, so the system text was merged into the first user message "
                "and neighbours of one role were joined.",
            ),
            ("stream" in self.left_out, "The server does not stream this model's replies, so it came in one piece."),
            (self.in_one_piece, "The server sent nothing as a stream, so the reply was asked for in one piece."),
            (self.without_thinking, "The server thinks only in streams, so thinking was switched off."),
        ]


def accommodate(known: Accommodation, refusal: Refusal, request: ModelRequest) -> Accommodation | None:
    """`known` with one change that answers the refusal, or None where there is none to try."""
    if kind_of(refusal) not in ("bad_request", "server", "model_or_url"):
        return None  # a prompt that is too long, say, whichever parameters that message mentions
    sent = known.parameters(request)
    if refusal.status in (400, 422):
        if not known.streams and not known.without_thinking and "enable_thinking" in refusal.words:
            return replace(known, without_thinking=True)
        if "max_tokens" in sent and "max_completion_tokens" in refusal.words:
            return replace(known, renames_max_tokens=True)
        refused = next((name for name in _NAMES if _is_sent(name, sent) and _is_blamed(name, refusal)), None)
        if refused is not None:
            return replace(known, left_out=known.left_out | {refused})
        if known.streams and _STREAM.search(f"{refusal.parameter}: {refusal.message}"):
            return replace(known, left_out=known.left_out | {"stream"})
    merged = replace(known, merges_roles=True)
    # Some servers call what their chat template raises an error of their own: 500.
    if (
        refusal.status in (400, 422, 500)
        and _ROLES.search(refusal.words)
        and merged.messages(request) != known.messages(request)
    ):
        return merged
    return None


class Memory:
    """The accommodations found so far, by address and model. Safe to use from any thread; holds nothing personal."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[tuple[str, str], Accommodation] = {}

    def of(self, base_url: str, model: str) -> Accommodation:
        """What is known about this model at this address."""
        with self._lock:
            return self._known.get((base_url, model), Accommodation())

    def learn(self, base_url: str, model: str, found: Accommodation) -> None:
        """Adds to what is known."""
        with self._lock:
            known = self._known.get((base_url, model), Accommodation())
            self._known[base_url, model] = known.joined(found)

    def clear(self) -> None:
        """Forgets everything."""
        with self._lock:
            self._known.clear()


def _is_sent(name: str, sent: dict[str, object]) -> bool:
    return name in sent or (name == "max_tokens" and "max_completion_tokens" in sent)


def _is_blamed(name: str, refusal: Refusal) -> bool:
    field = re.split(r"[.\[]", refusal.parameter)[0]
    if any(field in names for names in _NAMES.values()):
        return field in _NAMES[name]
    return any(re.search(rf"(?<!\w){alias}(?!\w)", refusal.message, re.IGNORECASE) for alias in _NAMES[name])


def _merged(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    system = [message.content for message in messages if message.role == "system"]
    turns = [message for message in messages if message.role != "system"]
    if system:
        turns.insert(0, Message("user", "\n\n".join(system)))
    merged: list[Message] = []
    for turn in turns:
        if merged and merged[-1].role == turn.role:
            merged[-1] = replace(turn, content=f"{merged[-1].content}\n\n{turn.content}")
        else:
            merged.append(turn)
    return tuple(merged)
