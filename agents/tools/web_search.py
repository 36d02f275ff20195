"""Search with Google through SerpApi (serpapi.com). The only file that knows its package, google-search-results.

The package looks neither at the HTTP status nor at the answer's error field, and would wait for 16 hours; so this
file asks for the plain response, and `search_results` reads it. The key is a part of every address that is asked, so no
text of the network's exceptions is ever passed on.
"""

from collections.abc import Callable
from typing import Any

from agents import wording
from agents.errors import ToolError
from agents.events import Language
from agents.tools.query_language import language_of
from agents.tools.search_results import read_answer

TIMEOUT_SECONDS = 20
MAX_CHARACTERS = 400
_PLACE: dict[Language, dict[str, str]] = {"en": {"hl": "en", "gl": "us"}, "zh": {"hl": "zh-cn", "gl": "cn"}}


def web_search(key: str, language: Language = "en") -> Callable[[str], str]:
    """A search with this SerpApi key: from a query to the best results as plain text, in `language` if there are none.

    The results are in the query's own language. The search waits 20 seconds for the server and tries once more where
    that failed on its own side. It raises ToolError with one of the kinds empty, too_long, auth, quota,
    server, bad_request, timeout, connection, package_missing, package_clash.
    """

    def search(query: str) -> str:
        query = query.strip().strip("\"'“”`").strip()  # in quotation marks, Google finds only these very words
        if not query:
            raise ToolError("empty")
        if len(query) > MAX_CHARACTERS:
            raise ToolError("too_long", str(MAX_CHARACTERS))
        try:
            return read_answer(*_ask(query, key), query, language)
        except ToolError as error:
            if error.kind != "server":
                raise
        return read_answer(*_ask(query, key), query, language)

    return search


def search_problem(language: Language = "en") -> str:
    """Why SerpApi cannot be used on this computer, whatever the key, as a sentence for a person; "" where it can."""
    try:
        _client()
    except ToolError as error:
        return wording.describe_tool_error(error, language)
    return ""


def _ask(query: str, key: str) -> tuple[int, str]:
    """The server's HTTP status and the body of its answer."""
    client = _client()
    import requests  # comes with the package, and takes long to import

    parameters = {"q": query, "api_key": key.strip(), "output": "json", **_PLACE[language_of(query)]}
    try:
        response = client(parameters, engine="google", timeout=TIMEOUT_SECONDS).get_response()
    except requests.Timeout:
        raise ToolError("timeout", str(TIMEOUT_SECONDS)) from None  # the cause would show the key
    except requests.RequestException:
        raise ToolError("connection") from None
    return response.status_code, response.text


def _client() -> Any:
    """SerpApi's client class. Imported only here, so that the app starts without the package."""
    try:
        from serpapi import SerpApiClient
    except ModuleNotFoundError:
        raise ToolError("package_missing") from None
    except ImportError:  # the package that is called `serpapi` brings a module of the same name, without this class
        raise ToolError("package_clash") from None
    return SerpApiClient
