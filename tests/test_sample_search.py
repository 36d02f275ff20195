import pytest

from agents.errors import ToolError
from agents.tools.query_language import language_of
from agents.tools.sample_search import Snippet, facts_search, sample_search, snippets

LABEL = "[built-in sample snippets, not a live search]"
KEYWORDS = [pytest.param(keyword, snippet, id=keyword) for snippet in snippets() for keyword in snippet.keywords]


@pytest.mark.parametrize(
    ("query", "fact"),
    [
        ("How tall is the Eiffel Tower?", "330 metres"),
        ("Burj Khalifa height", "828 metres"),
        ("埃菲尔铁塔有多高", "330 米"),
        ("上海中心大厦 高度", "632 米"),
        ("Africa's highest mountain", "5,895 metres"),
        ("世界上最高的山是什么", "8,849 米"),
        ("capital of France", "capital Paris"),
        ("population of Paris", "2.1 million"),
        ("谁发明了电话", "1876"),
        ("When did the Berlin Wall fall?", "1989"),
        ("太阳系有几颗行星", "八大行星"),
        ("capital of Brasilia's country, Brazil", "Brasília"),
    ],
)
def test_the_best_snippet_comes_first(query: str, fact: str) -> None:
    label, first, *_ = sample_search(query).splitlines()
    assert fact in first
    assert label.startswith("[")


def test_a_question_about_two_things_finds_both() -> None:
    found = sample_search("How much taller is the Burj Khalifa than the Eiffel Tower?")
    assert "828 metres" in found
    assert "330 metres" in found


def test_finds_at_most_three_snippets() -> None:
    assert len(sample_search("China India France Japan Brazil Canada").splitlines()) == 4


def test_says_what_it_knows_where_nothing_is_found() -> None:
    label, sentence = sample_search("weather in Oslo").splitlines()
    assert label == LABEL
    assert sentence.startswith("None of the sample snippets is about: weather in Oslo. They cover")


def test_refuses_an_empty_query() -> None:
    with pytest.raises(ToolError, match="empty"):
        sample_search("  ")


@pytest.mark.parametrize(("keyword", "snippet"), KEYWORDS)
def test_every_snippet_is_found_by_each_of_its_keywords(keyword: str, snippet: Snippet) -> None:
    assert snippet.texts[language_of(keyword)] in sample_search(keyword)


def test_facts_are_found_by_keyword_whatever_the_case() -> None:
    search = facts_search({"orsk": "Mount Orsk is 4,312 metres high.", "quell": "Mount Quell is 3,657 metres high."})
    assert search("ORSK and Quell") == "Mount Orsk is 4,312 metres high.\nMount Quell is 3,657 metres high."


def test_a_fact_with_two_keywords_is_told_once() -> None:
    assert facts_search({"aster 9": "A phone.", "aster9": "A phone."})("aster 9 or aster9") == "A phone."


def test_facts_that_are_not_there_are_said_to_be_missing() -> None:
    assert facts_search({"泽林": "泽林市"})("诺湾人口").startswith("没有找到结果：诺湾人口。")
