"""Reads what a server reports about tokens."""

from collections.abc import Mapping

from agents.events import Usage


def read_usage(piece: Mapping[str, object]) -> Usage | None:
    """The usage in a piece of a reply, or None.

    llama.cpp reports `timings` as well, and on request in every piece: `prompt_n` are the tokens it had to read,
    `cache_n` those it still knew from an earlier prompt.

    >>> read_usage({"timings": {"cache_n": 38, "prompt_n": 1, "predicted_n": 3}})
    Usage(input_tokens=39, output_tokens=3, cached_tokens=38, estimated=False)
    """
    timings = _fields(piece.get("timings"))
    cached_by_timings = _count(timings, "cache_n")
    usage = _fields(piece.get("usage")) or _fields(_fields(piece.get("x_groq")).get("usage"))
    sent = _count(usage, "prompt_tokens", "input_tokens")
    received = _count(usage, "completion_tokens", "output_tokens")
    if sent is not None or received is not None:
        cached = _cached(usage)
        return Usage(sent or 0, received or 0, cached if cached is not None else cached_by_timings or 0)
    evaluated = _count(timings, "prompt_n")
    if evaluated is not None:
        cached = cached_by_timings or 0
        return Usage(evaluated + cached, _count(timings, "predicted_n") or 0, cached)
    return None


def _cached(usage: Mapping[str, object]) -> int | None:
    details = _fields(usage.get("prompt_tokens_details")) or _fields(usage.get("input_tokens_details"))
    cached = _count(details, "cached_tokens")
    if cached is not None:
        return cached
    return _count(usage, "prompt_cache_hit_tokens", "cached_tokens", "cache_read_input_tokens")


def _count(fields: Mapping[str, object], *names: str) -> int | None:
    return next((value for name in names if isinstance(value := fields.get(name), int) and value >= 0), None)


def _fields(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}
