"""What a server says when it will not reply: its words, cleaned for a person, and the kind of error they mean.

Servers agree on little but the HTTP status, so the words decide where the status is used for several things.
The patterns are the wordings of the services in `addresses.PRESETS` and of the usual local servers.
"""

import html
import json
import re
from dataclasses import dataclass

from agents.errors import ModelErrorKind

_DETAIL_LIMIT = 300


def _pattern(*wordings: str) -> re.Pattern[str]:
    return re.compile("|".join(wordings), re.IGNORECASE | re.DOTALL)


_QUOTA = _pattern(
    r"insufficient[_ ]quota",
    r"exceeded[_ ](your )?current[_ ]quota",
    r"insufficient.{0,20}(balance|credit|funds?)",
    r"(balance|credits?|funds?).{0,30}(insufficient|not enough|exhausted|too low)",
    r"out of credits?",
    r"arrearage",
    r"overdue.payment",
    r"余额不足|余额已|欠费|额度(已用完|不足|已耗尽)",
)
_RATE = _pattern(r"rate[-_ ]?limit", r"too many requests", r"throttl", r"限流|速率限制|并发数过高|频率")
_CONTEXT = _pattern(
    r"context[_ ](length|window|size)",
    r"exceed_context",
    r"maximum (input|prompt|sequence) length",
    r"(prompt|input|request) (is )?too (long|large)",
    r"(prompt|input) contains? too many tokens",
    r"range of input length",
    r"longer than the (maximum )?(model|context)",
    r"input token count.{0,60}exceed",
    r"too many (input|prompt) tokens",
    r"上下文长度|(输入|提示词?).{0,10}(过长|超长|超过)",
)
_FILTER = _pattern(
    r"content[_ -]?(filter|policy|management)",
    r"data[_ ]?inspection[_ ]?failed",
    r"content exists risk",
    r"inappropriate content",
    r"flagged|moderation",
    r"敏感|违规|不安全内容",
)
_MODEL = _pattern(
    r"model.{0,80}?(not found|does(n't| not) exist|not exist|is not a valid|not supported by|is unknown)",
    r"(unknown|invalid|no such) model",
    r"not a valid model",
    r"model_not_(found|exist)",
    r"模型.{0,40}不存在",
)
_KEY = _pattern(
    r"(invalid|incorrect|wrong|missing|no|expired)[_ ](api[_ -]?key|authentication|credential|token provided)",
    r"api[_ -]?key.{0,30}(not valid|invalid|incorrect|expired|missing|required)",
    r"unauthori[sz]ed|authentication.?(error|failed|fails)|permission[_ ]denied",
    r"(令牌|密钥|身份验证|鉴权).{0,20}(失败|无效|错误|过期|不正确)",
)
_SCRIPT = re.compile(r"<(script|style)\b.*?</\1\s*>", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<[a-zA-Z/!][^<>]*>")
_SECRET = re.compile(
    r"\b(sk|gsk|xai)-[\w*.…-]{6,}|\bAIza[\w-]{10,}|\bBearer\s+\S+|(?<=://)[^\s/@]+:[^\s/@]+(?=@)", re.IGNORECASE
)


@dataclass(frozen=True)
class Refusal:
    """A server's refusal. `parameter` is the request's field that it names as the cause, if any.

    `status` is the HTTP status, or the code inside an error that came in a stream. `retry_after` is in seconds.
    """

    status: int
    message: str
    code: str = ""
    parameter: str = ""
    retry_after: float | None = None

    @property
    def words(self) -> str:
        """All that the server said, for looking into it."""
        return f"{self.parameter} {self.code} {self.message}"


class Refused(Exception):
    """A server's refusal on its way to the one who decides what to do about it."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"HTTP {refusal.status}")
        self.refusal = refusal


def read_refusal(status: int, body: object, retry_after: str = "") -> Refusal:
    """The refusal in a body, in whichever of the usual forms it comes.

    >>> read_refusal(422, '{"detail": [{"loc": ["body", "stop"], "msg": "extra fields not permitted"}]}')
    Refusal(status=422, message='extra fields not permitted', code='', parameter='stop', retry_after=None)
    """
    if isinstance(body, str):
        body = _from_json(body)
    if isinstance(body, list) and body:
        body = body[0]
    error = body
    if isinstance(body, dict):
        error = next((body[key] for key in ("error", "errors", "detail") if body.get(key)), body)
    if isinstance(error, list) and error:
        error = error[0]
    fields: dict[str, object] = error if isinstance(error, dict) else {}
    message = _first(fields, "message", "msg", "error_msg", "error", "detail") or (
        error if isinstance(error, str) else json.dumps(error, ensure_ascii=False) if error else ""
    )
    location = fields.get("loc")
    parameter = _first(fields, "param") or (str(location[-1]) if isinstance(location, list) and location else "")
    code = " ".join(str(fields[key]) for key in ("code", "type") if fields.get(key) not in (None, ""))
    metadata = fields.get("metadata")  # OpenRouter puts the words of the service behind it there
    if isinstance(metadata, dict) and isinstance(metadata.get("raw"), str):
        message = f"{message}: {metadata['raw']}"
    return Refusal(status, message, code, parameter, _seconds(retry_after))


def kind_of(refusal: Refusal) -> ModelErrorKind:
    """The kind of error that a person is told.

    >>> kind_of(Refusal(429, "You exceeded your current quota", "insufficient_quota"))
    'quota'
    """
    status, words = refusal.status, refusal.words
    if status == 402 or (status < 500 and _QUOTA.search(words)):
        return "quota"
    if status == 429:
        return "rate_limit"
    if status == 413 or _CONTEXT.search(words):
        return "context_length"
    if _FILTER.search(words):
        return "content_filter"
    if status == 401 or (status < 500 and _KEY.search(words)):
        return "auth"
    if status in (404, 405) or (status < 500 and _MODEL.search(words)):
        return "model_or_url"
    if status == 403:
        return "auth"
    if status == 408:
        return "timeout"
    if _RATE.search(words):
        return "rate_limit"
    return "server" if status >= 500 else "bad_request"


def clean_detail(text: str, key: str) -> str:
    """The server's words as plain text: without HTML, without the key or anything like one, at most 300 characters.

    >>> clean_detail("<html><h1>502 Bad Gateway</h1></html>", "")
    '502 Bad Gateway'
    """
    text = _TAG.sub(" ", _SCRIPT.sub(" ", text))
    text = " ".join(html.unescape(text).split())
    text = " ".join(_TAG.sub(" ", text).split())  # tags that were escaped
    if len(key) >= 4:
        text = text.replace(key, "[key]")
    text = _SECRET.sub("[key]", text)
    return text if len(text) <= _DETAIL_LIMIT else text[: _DETAIL_LIMIT - 1] + "…"


def _from_json(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:  # plain text or a web page
        return text


def _first(fields: dict[str, object], *names: str) -> str:
    return next((value for name in names if isinstance(value := fields.get(name), str) and value), "")


def _seconds(retry_after: str) -> float | None:
    try:
        return max(0.0, float(retry_after))
    except ValueError:  # not given, or a date, which no service in the presets sends
        return None
