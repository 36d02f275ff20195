"""Search against a local server that answers as SerpApi does; the package itself is the real one."""

import json
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from agents.errors import ToolError
from agents.tools import web_search as module
from agents.tools.search_results import observation_text
from agents.tools.web_search import search_problem, web_search
from agents.wording import describe_tool_error

KEY = "secret-key-123"
LINES = (Path(__file__).parent / "cases" / "search_results.jsonl").read_text(encoding="utf-8").splitlines()
CASES: dict[str, dict[str, Any]] = {case["id"]: case for case in map(json.loads, LINES)}
CONTAINS = [
    pytest.param(case["input"]["json"], case["expected"]["contains"], id=name)
    for name, case in CASES.items()
    if "contains" in case["expected"]
]


@dataclass
class FakeSerpApi:
    """Answers the requests in turn, the last answer again and again, and keeps what it was asked."""

    answers: list[tuple[int, str]] = field(default_factory=list)
    asked: list[dict[str, str]] = field(default_factory=list)
    may_answer: threading.Event = field(default_factory=threading.Event)

    def answer(self, path: str) -> tuple[int, str]:
        self.asked.append({name: values[0] for name, values in parse_qs(urlsplit(path).query).items()})
        self.may_answer.wait(10)
        return self.answers[min(len(self.asked), len(self.answers)) - 1]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeSerpApi]:
    fake = FakeSerpApi()
    fake.may_answer.set()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, body = fake.answer(self.path)
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, format: str, *args: object) -> None:
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=http.serve_forever, args=(0.01,), daemon=True).start()
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr("serpapi.SerpApiClient.BACKEND", f"http://127.0.0.1:{http.server_port}")
    yield fake
    fake.may_answer.set()
    http.shutdown()
    http.server_close()


def case_answer(name: str) -> tuple[int, str]:
    given = CASES[name]["input"]
    return given["http"], given.get("text") or json.dumps(given["json"])


def failure(query: str = "tower") -> ToolError:
    with pytest.raises(ToolError) as caught:
        web_search(KEY)(query)
    return caught.value


@pytest.mark.parametrize(("answer", "texts"), CONTAINS)
def test_reads_every_shape_of_answer(server: FakeSerpApi, answer: dict[str, Any], texts: list[str]) -> None:
    server.answers = [(200, json.dumps(answer))]
    found = web_search(KEY)("tower")
    assert [text for text in texts if text not in found] == []


def test_a_number_is_given_as_text(server: FakeSerpApi) -> None:
    server.answers = [case_answer("E09")]
    assert web_search(KEY)("meaning of life") == "42"


@pytest.mark.parametrize(
    "body", [CASES["E14"]["input"]["json"], {"error": "Google hasn't returned any results for this query."}]
)
def test_no_results_is_an_answer_and_not_an_error(server: FakeSerpApi, body: dict[str, Any]) -> None:
    server.answers = [(200, json.dumps(body))]
    assert web_search(KEY)("xqzv").startswith("No results for: xqzv. Try other or fewer words.")


@pytest.mark.parametrize(
    ("name", "kind", "requests"), [("E15", "auth", 1), ("E16", "quota", 1), ("E17", "server", 2), ("E25", "server", 2)]
)
def test_failures_have_a_kind_and_only_the_servers_own_are_tried_again(
    server: FakeSerpApi, name: str, kind: str, requests: int
) -> None:
    server.answers = [case_answer(name)]
    assert failure().kind == kind
    assert len(server.asked) == requests


def test_a_second_try_may_succeed(server: FakeSerpApi) -> None:
    server.answers = [case_answer("E25"), case_answer("E03")]
    assert "300 m tall" in web_search(KEY)("tower")


def test_a_refused_key_is_explained_to_the_person(server: FakeSerpApi) -> None:
    server.answers = [case_answer("E15")]
    sentence = describe_tool_error(failure(), "en")
    assert "must be a key from serpapi.com (keys of serper.dev, serpstack and others do not work)" in sentence
    assert "manage-api-key" not in sentence


def test_a_web_page_is_never_passed_on(server: FakeSerpApi) -> None:
    server.answers = [(200, "<html>log in to the wifi</html>")]
    assert describe_tool_error(failure(), "en").count("<") == 0


@pytest.mark.parametrize("status", [200, 400])
def test_a_refused_request_says_why(server: FakeSerpApi, status: int) -> None:
    server.answers = [(status, json.dumps({"error": "Unsupported <b>`gl`</b> parameter."}))]
    error = failure()
    assert (error.kind, error.detail) == ("bad_request", "Unsupported `gl` parameter.")


def test_sends_the_key_under_the_name_that_the_service_reads(server: FakeSerpApi) -> None:
    server.answers = [case_answer("E03")]
    web_search(f" {KEY}\n")('"height of the tower"')
    expected = {"q": "height of the tower", "api_key": KEY, "engine": "google", "output": "json", "source": "python"}
    assert server.asked == [expected | {"hl": "en", "gl": "us"}]


def test_asks_for_chinese_results_with_a_chinese_query(server: FakeSerpApi) -> None:
    server.answers = [case_answer("E03")]
    web_search(KEY)("塔的高度")
    assert (server.asked[0]["q"], server.asked[0]["hl"], server.asked[0]["gl"]) == ("塔的高度", "zh-cn", "cn")


def test_waits_no_longer_than_thirty_seconds() -> None:
    assert module.TIMEOUT_SECONDS <= 30


def test_a_silent_server_is_a_timeout(server: FakeSerpApi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TIMEOUT_SECONDS", 0.05)
    server.answers = [case_answer("E03")]
    server.may_answer.clear()
    assert failure().kind == "timeout"


def test_a_server_that_cannot_be_reached_shows_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr("serpapi.SerpApiClient.BACKEND", "http://127.0.0.1:1")
    error = failure()
    assert error.kind == "connection"
    assert error.__cause__ is None
    assert KEY not in str(error) + describe_tool_error(error, "en")


@pytest.mark.parametrize(("query", "kind"), [(" ", "empty"), ('""', "empty"), ("a" * 401, "too_long")])
def test_refuses_a_query_that_cannot_be_sent(query: str, kind: str) -> None:
    assert failure(query).kind == kind


def test_a_missing_package_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "serpapi", None)
    assert failure().kind == "package_missing"
    assert "pip install google-search-results" in search_problem()


def test_two_packages_of_one_name_are_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "serpapi.py").write_text("class Client: ...\n")
    monkeypatch.delitem(sys.modules, "serpapi", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    problem = search_problem()
    monkeypatch.delitem(sys.modules, "serpapi")
    assert "two Python packages, serpapi and google-search-results" in problem
    assert "pip uninstall -y serpapi google-search-results" in problem


def test_there_is_no_problem_where_the_package_is_installed() -> None:
    assert search_problem() == ""


def test_results_are_plain_text() -> None:
    result = {"title": "A <b>tower</b> &amp; more", "snippet": "<script>x</script>300&nbsp;m", "link": "https://e.org"}
    assert observation_text({"organic_results": [result]}) == "A tower & more. x 300 m (https://e.org)"


def test_shows_the_direct_answer_and_then_the_best_four_results() -> None:
    results = [{"title": f"Result {number}", "snippet": "text"} for number in range(1, 9)]
    found = observation_text({"organic_results": results, "answer_box": {"type": "organic_result", "answer": "300 m"}})
    assert found.splitlines() == ["300 m", *(f"Result {number}. text" for number in range(1, 5))]


def test_leaves_the_links_and_pictures_of_a_knowledge_graph_out() -> None:
    graph = {
        "title": "Example Corp",
        "type": "Company",
        "founded": "1999",
        "founded_links": [{"text": "1999", "link": "https://e.org"}],
        "image": "https://e.org/x.png",
        "headquarters_stick": "H4sIA",
        "source": {"name": "Wikipedia", "link": "https://en.wikipedia.org"},
    }
    assert observation_text({"knowledge_graph": graph}) == "Example Corp. Company. founded: 1999. source: Wikipedia"


@pytest.mark.parametrize(
    ("part", "text"),
    [
        (
            {"local_results": {"places": [{"title": "Cafe", "address": "1 High Street"}]}},
            "Cafe. address: 1 High Street",
        ),
        ({"shopping_results": [{"title": "Lamp", "price": "$10.00", "extracted_price": 10.0}]}, "Lamp. price: $10.00"),
        ({"events_results": [{"title": "Concert", "date": {"when": "Friday"}}]}, "Concert. date: when: Friday"),
        ({"sports_results": {"title": "Team A", "games": [{"teams": [{"name": "B", "score": "2"}]}]}}, "score: 2"),
        ({"answer_box": {"type": "organic_result", "list": ["one", "two"]}}, "list: one; two"),
        ({"answer_box": {"definitions": ["a high building"]}}, "a high building"),
        ({"answer_box": "plain words"}, "plain words"),
        ({"ai_overview": {"text_blocks": [{"type": "paragraph", "snippet": "In short."}]}}, "In short"),
        (
            {"top_stories": [{"title": "News A", "source": "S"}], "related_searches": [{"query": "x"}]},
            "News A. source: S",
        ),
    ],
)
def test_describes_whatever_fields_a_result_has(part: dict[str, Any], text: str) -> None:
    assert text in observation_text(part)


@pytest.mark.parametrize(
    "part", [{}, {"answer_box": {}}, {"answer_box": []}, {"organic_results": None}, {"ads": [{"title": "Buy"}]}]
)
def test_nothing_to_read_is_an_empty_text(part: dict[str, Any]) -> None:
    assert observation_text(part) == ""
