"""What can go wrong, sorted by who can mend it.

The model can mend a `FormatError` or a `ToolError`: it is shown the fault as an observation.
The person can mend a `ModelError`: it ends the run with a sentence and a next step.
`Stopped` is no fault: the person asked for it. Everything else is a bug and is not caught.
"""

from typing import Literal

from agents.events import ModelResponse

ModelErrorKind = Literal[
    "auth",  # the key is missing, wrong or not allowed to use this model
    "bad_key_characters",  # the key cannot be sent at all
    "model_or_url",  # 404: the model's name or the base URL
    "web_page",  # the base URL answers with a web page
    "empty_stream",  # the server answers, but not with a reply
    "empty_reply",  # the model replied with nothing, twice
    "rate_limit",
    "quota",
    "context_length",  # the prompt is longer than the model can read
    "timeout",
    "connection",
    "proxy_config",
    "server",  # 5xx, or an error inside the stream
    "protocol",  # bytes that are no valid stream
    "content_filter",
    "bad_request",  # any other refusal of the request
    "not_configured",  # no model is set
]


class CallEnded(Exception):
    """A model call that ended before its reply did. `partial` is what had arrived, if anything had."""

    def __init__(self, message: str, partial: ModelResponse | None = None) -> None:
        super().__init__(message)
        self.partial = partial


class Stopped(CallEnded):
    """The person stopped the run."""


class ModelError(CallEnded):
    """A model call failed, and a person can do something about it.

    `detail` is the server's own message: plain text without HTML or a key, at most 300 characters.
    `hint` is a key of `wording`'s hints, where the kind alone does not say what to try.
    The sentences for a person are made from these by `wording.describe_error`, in their language.
    """

    def __init__(
        self, kind: ModelErrorKind, detail: str = "", hint: str = "", partial: ModelResponse | None = None
    ) -> None:
        super().__init__(f"{kind}: {detail}" if detail else kind, partial)
        self.kind = kind
        self.detail = detail
        self.hint = hint


class FormatError(Exception):
    """A reply that cannot be read. `rule` names what is wrong with it: a key of `wording`'s faults."""

    def __init__(self, rule: str) -> None:
        super().__init__(rule)
        self.rule = rule


class ForkError(Exception):
    """A change to a run that cannot be made: "no_such_part", "blank", "unreadable_plan" or "tool_missing"."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class ToolError(Exception):
    """A tool that could not do what it was asked; the model that asked is told.

    `kind` sorts the fault ("division_by_zero", "quota", …) and is a key of `wording`'s tool sentences; a tool of
    one's own may use any other word and put the whole sentence into `detail`.
    """

    def __init__(self, kind: str, detail: str = "") -> None:
        super().__init__(f"{kind}: {detail}" if detail else kind)
        self.kind = kind
        self.detail = detail
