"""Base URLs: those of well-known services, and what is meant by the one that somebody typed."""

import ipaddress
import re
import unicodedata
from urllib.parse import SplitResult, urlsplit, urlunsplit

PRESETS: dict[str, str] = {
    "OpenAI": "https://api.openai.com/v1",
    "DeepSeek": "https://api.deepseek.com/v1",
    "DashScope (Qwen)": "https://dashscope.aliyuncs.com/compatible-mode/v1",
    "Zhipu": "https://open.bigmodel.cn/api/paas/v4",
    "Moonshot": "https://api.moonshot.cn/v1",
    "SiliconFlow": "https://api.siliconflow.cn/v1",
    "OpenRouter": "https://openrouter.ai/api/v1",
    "Ollama": "http://localhost:11434/v1",
    "LM Studio": "http://localhost:1234/v1",
    "llama.cpp": "http://localhost:8080/v1",
}

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_ODD_SCHEME = re.compile(r"(?!localhost)[a-z]+:/(?!/)", re.IGNORECASE)  # htp:/server
_ENDPOINT = re.compile(
    r"/(chat/completions|chat|completions|responses|embeddings|models|generate|tags)$", re.IGNORECASE
)
_VERSION = re.compile(r"/v\d+\w*(/|$)", re.IGNORECASE)


def normalize_base_url(url: str) -> str:
    """The base URL that was meant: with a scheme and a version, without an endpoint and a slash at its end.

    A path that is neither empty nor part of a preset is kept, since a service may live anywhere. What is no address
    at all comes back as it was typed.

    >>> normalize_base_url("localhost:11434")
    'http://localhost:11434/v1'
    >>> normalize_base_url("https://api.example.com/v1/chat/completions")
    'https://api.example.com/v1'
    >>> normalize_base_url("https://open.bigmodel.cn/")
    'https://open.bigmodel.cn/api/paas/v4'
    """
    url = unicodedata.normalize("NFKC", url).strip().strip("\"'<>“”‘’").strip()
    try:
        return _normalized(url) if url else ""
    except ValueError:  # half an IPv6 address, for example
        return url


def is_loopback(url: str) -> bool:
    """Whether the address is on this very machine.

    >>> is_loopback("http://localhost:1234/v1"), is_loopback("http://192.168.1.7:1234/v1")
    (True, False)
    """
    host = _host(urlsplit(url))
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:  # a name
        return False


def is_web_address(url: str) -> bool:
    """Whether a request can be sent there at all.

    >>> is_web_address("http://localhost:1234/v1"), is_web_address("http://localhost:abc/v1"), is_web_address("")
    (True, False, False)
    """
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0 and " " not in url
    except ValueError:  # a port that is no number
        return False


def has_version(url: str) -> bool:
    """Whether the address names a version of the interface, such as /v1."""
    return bool(_VERSION.search(urlsplit(url).path))


def _normalized(url: str) -> str:
    if _ODD_SCHEME.match(url):
        return url  # no web address, and not to be made into one: `is_web_address` says so
    try:
        if not _SCHEME.match(url):
            url = url.lstrip("/")
            url = f"{'http' if _is_private(urlsplit(f'//{url}')) else 'https'}://{url}"
        parts = urlsplit(url)
    except ValueError:  # such as a bracket that is not closed
        return url
    location = parts.netloc.lower() if "@" not in parts.netloc else parts.netloc
    location = re.sub(r"^0\.0\.0\.0(?=:|$)", "127.0.0.1", location)  # where a server listens, not where it is reached
    path = _without_endpoint(parts.path)
    if not _VERSION.search(path):
        path = _with_version(path, location)
    return urlunsplit((parts.scheme.lower(), location, path, parts.query, ""))


def _without_endpoint(path: str) -> str:
    path = re.sub(r"/{2,}", "/", path).rstrip("/")
    while match := _ENDPOINT.search(path):
        path = path[: match.start()].rstrip("/")
    return path


def _with_version(path: str, location: str) -> str:
    for preset in map(urlsplit, PRESETS.values()):
        if preset.netloc == location and (not path or f"{preset.path}/".startswith(f"{path}/")):
            return preset.path
    if path == "/api" and location.endswith(":11434"):  # Ollama's own interface, beside the OpenAI-compatible one
        return "/v1"
    return path or "/v1"


def _host(parts: SplitResult) -> str:
    return (parts.hostname or "").rstrip(".")


def _is_private(parts: SplitResult) -> bool:
    host = _host(parts)
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:  # a name; those without a dot are names of a local network
        return host == "localhost" or "." not in host or host.endswith((".local", ".localhost", ".lan"))
