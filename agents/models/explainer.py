"""Makes errors for a person out of what went wrong at one address."""

from dataclasses import dataclass, field

from agents.errors import ModelError
from agents.events import ModelResponse
from agents.models import addresses
from agents.models.refusals import Refusal, clean_detail, kind_of


@dataclass(frozen=True)
class Explainer:
    """Knows the address and the key ("" for none), so that it can say what to check and keep the key to itself."""

    base_url: str
    key: str = field(repr=False)

    def clean(self, text: str) -> str:
        """The text as it may be shown: plain, short and without the key."""
        return clean_detail(text, self.key)

    def refused(self, refusal: Refusal, partial: ModelResponse | None = None) -> ModelError:
        """The server refused."""
        kind = kind_of(refusal)
        hint = ""
        if refusal.status in (502, 503, 504) and addresses.is_loopback(self.base_url) and "<" in refusal.message:
            hint = "proxy_intercepts_localhost"  # no model server on this machine answers with a web page
        elif kind == "model_or_url" and not addresses.has_version(self.base_url):
            hint = "check_base_url"
        elif kind == "auth" and not self.key:
            hint = "no_key"
        return ModelError(kind, self.clean(refusal.message), hint, partial)

    def unreachable(self, reason: str) -> ModelError:
        """No connection came about."""
        hint = ""
        if "CERTIFICATE" in reason.upper():
            hint = "certificate"
        elif addresses.is_loopback(self.base_url):
            hint = "local_server_off"
        return ModelError("connection", self.clean(reason), hint)

    def broken(self, reason: str) -> ModelError:
        """The connection broke."""
        return ModelError("connection", self.clean(reason))

    def unreadable(self, reason: str) -> ModelError:
        """Bytes came that are no reply."""
        return ModelError("protocol", self.clean(reason))

    def web_page(self, page: str) -> ModelError:
        """A web page came instead of a reply."""
        return ModelError("web_page", self.clean(page), "check_base_url")

    def no_reply(self, message: str) -> ModelError:
        """Something else came instead of a reply."""
        return ModelError("empty_stream", self.clean(message), "check_base_url")

    def late(self, seconds: float, partial: ModelResponse | None = None) -> ModelError:
        """The time was up."""
        return ModelError("timeout", f"no end after {seconds:g} s", partial=partial)
