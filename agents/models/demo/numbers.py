"""Numbers in running text: finding them, showing them, and working with them in one's head."""

import re
from decimal import Decimal

from agents.errors import ToolError
from agents.tools.calculator import calculate

NUMBER = r"\d[\d,]*(?:\.\d+)?"
SUM = re.compile(rf"([\d(][\d .,()+\-*/×÷]{{2,80}})=\s*(-?{NUMBER})")  # with its result
_SCALES = {"million": 10**6, "billion": 10**9, "百万": 10**6, "万": 10**4, "亿": 10**8}
_SCALE = "|".join(_SCALES)
_WORDS = {
    rf"\bsubtract ({NUMBER}) from ({NUMBER})": r"\2 - \1",
    rf"从({NUMBER})[中里]?减去({NUMBER})": r"\1 - \2",
    rf"\bmultiply ({NUMBER}) (?:by|with) ({NUMBER})": r"\1 * \2",
    rf"\bdivide ({NUMBER}) by ({NUMBER})": r"\1 / \2",
    rf"\badd ({NUMBER}) (?:to|and) ({NUMBER})": r"\1 + \2",
    r"\s*% of\s*": " / 100 * ",
    r"(\d+)的(\d+)%": r"\1 * \2 / 100",
    r"\s*(?:multiplied by|times|乘以|乘)\s*": " * ",
    r"\s*(?:divided by|除以)\s*": " / ",
    r"\s*(?:plus|加上|加)\s*": " + ",
    r"\s*(?:minus|减去|减)\s*": " - ",
}
_EXPRESSION = re.compile(r"[(（\d][\d\s.,()（）+\-−*/×÷^]*[\d)）]")
_OPERATION = re.compile(r"[\d)）]\s*[+\-−*/×÷^]")


def number_with_unit(text: str, unit: str, after: str = "") -> str | None:
    """The first number with this unit as plain digits; `after` and `unit` are regular expressions.

    >>> number_with_unit("Tower A (height 1,330 m, or 330 m without the hill)", "m", after="height")
    '1330'
    >>> number_with_unit("It is 149.6 million km away.", "km")
    '149600000'
    """
    before = rf"(?:{after})[^\n]*?" if after else ""
    pattern = rf"{before}(?<![\d.,])(?P<number>{NUMBER})[ -]?(?P<scale>{_SCALE})?[\s-]*(?:{unit})"
    match = re.search(pattern, text, re.IGNORECASE)
    if match is None:
        return None
    scale = _SCALES[match["scale"].lower()] if match["scale"] else 1
    return plain(Decimal(match["number"].replace(",", "")) * scale)


def plain(number: Decimal) -> str:
    """The number without an exponent and without zeros that say nothing.

    >>> plain(Decimal("1.50E+3"))
    '1500'
    """
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def numbers_in(text: str) -> list[str]:
    """All numbers in the text, as plain digits.

    >>> numbers_in("1,200 and 3.50")
    ['1200', '3.5']
    """
    return [plain(Decimal(number.replace(",", ""))) for number in re.findall(NUMBER, text)]


def shown(number: str) -> str:
    """The number as it is said: with two decimals at most.

    >>> shown("15.269230769"), shown("498"), shown("no number")
    ('15.27', '498', 'no number')
    """
    if not re.fullmatch(r"-?\d+\.\d+", number):
        return number
    return plain(round(Decimal(number), 2)) if abs(float(number)) >= 0.01 else number


def spoken(number: str) -> str:
    """The number as it is said in a sentence: large ones in groups of three digits.

    >>> spoken("149600000"), spoken("1889"), spoken("8.311")
    ('149,600,000', '1889', '8.31')
    """
    said = shown(number)
    return f"{int(said):,}" if re.fullmatch(r"\d{5,}", said) else said


def in_the_head(expression: str) -> str | None:
    """The value of an expression, or None where it has none."""
    try:
        return calculate(expression)
    except ToolError:
        return None


def result_in(observation: str) -> str | None:
    """The number that a calculator's output gives, or None where it is a complaint.

    >>> result_in("498"), result_in("828 - 330 = 498"), result_in("The result is 498."), result_in("3 is not allowed")
    ('498', '498', '498', None)
    """
    match = re.search(
        rf"(?:^\s*|=\s*|\bis\s+|[是为]\s*)(-?{NUMBER}(?:e[+-]?\d+)?)\s*[.。]?\s*$", observation, re.MULTILINE
    )
    return match[1].replace(",", "") if match else None


def shape(expression: str) -> str:
    """The expression with a # for each number in it: which kind of sum it is.

    >>> shape("432 - 356"), shape("149.6 / (0.3 * 60)"), shape("18 × 24")
    ('#-#', '#/(#*#)', '#*#')
    """
    signs = re.sub(r"\s", "", expression).translate(str.maketrans("×÷−（）", "*/-()"))
    return re.sub(NUMBER, "#", signs)


def expression_in(text: str) -> str | None:
    """The arithmetic expression that the text asks about, if any.

    >>> expression_in("What is 12 * 7?"), expression_in("12乘7是多少？"), expression_in("In 2024 I was 12.")
    ('12 * 7', '12 * 7', None)
    >>> expression_in("Subtract 356 from 500.")
    '500 - 356'
    """
    for words, sign in _WORDS.items():
        text = re.sub(words, sign, text, flags=re.IGNORECASE)
    found = [match[0].strip() for match in _EXPRESSION.finditer(text) if _OPERATION.search(match[0])]
    return max(found, key=len, default=None)
