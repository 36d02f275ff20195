import pytest

from agents.events import Message
from agents.models.estimate import estimate_tokens, estimate_usage


@pytest.mark.parametrize(
    ("text", "counted"),  # counted by Qwen 2.5's tokenizer
    [
        ("The quick brown fox jumps over the lazy dog, and then it returned to its burrow before the rain began.", 23),
        ("机器学习是人工智能的一个分支，它使计算机能够从数据中学习并做出预测。", 19),
        ("今日は天気がいいので散歩に行きましょう", 10),
        ("Съешь ещё этих мягких французских булок, да выпей чаю", 22),
    ],
)
def test_comes_near_a_real_tokenizer(text: str, counted: int) -> None:
    assert estimate_tokens(text) == pytest.approx(counted, rel=0.35)


def test_nothing_has_no_tokens() -> None:
    assert estimate_tokens("") == 0


def test_usage_says_that_it_is_estimated() -> None:
    usage = estimate_usage([Message("system", "Be brief."), Message("user", "Why?")], "Because.")
    assert (usage.input_tokens, usage.output_tokens, usage.estimated) == (4 + 3 + 4 + 1, 2, True)
