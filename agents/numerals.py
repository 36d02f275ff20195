"""Numbers in an answer: those in digits, in Chinese numerals and in English words, with what scales them.

It reads what people write in answers ("11,340", "75 %", "2.7 million", "五十六", "fifty-six"). It does not calculate:
"3/4" is two numbers. A lone "一" or "one" is no number here, since it mostly stands for "a".
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

# A letter, digit or underscore of a script that puts spaces between words, so not a Chinese or Japanese character.
LETTER = r"[^\W\u3040-\u30ff\u3400-\u9fff]"

# What NFKC leaves different, or would make a digit of: "10²" is not 102.
_SIGNS = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "−": "-", "²": "^2", "³": "^3"})
_GROUPED = re.compile(r"(?<!\d)(?<!\d[.,'])\d{1,3}([ ,'])\d{3}(?:\1\d{3})*(?!\d)")

_SCALES = {
    **{"%": Decimal(1), "percent": Decimal(1), "per cent": Decimal(1)},
    **{"thousand": Decimal(10**3), "million": Decimal(10**6), "billion": Decimal(10**9)},
    **{"百": Decimal(100), "千": Decimal(1000), "万": Decimal(10**4), "亿": Decimal(10**8), "万亿": Decimal(10**12)},
}
_CHINESE_DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_CHINESE_UNITS = {"十": 10, "百": 100, "千": 1000, "万": 10**4, "亿": 10**8}
_DIGITS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_TEENS = ["thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
_WORDS = {word: value for value, word in enumerate(["zero", *_DIGITS, "ten", "eleven", "twelve", *_TEENS])}
_TENS = {
    word: value * 10
    for value, word in enumerate(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 2)
}

_NUMBER = re.compile(
    rf"""
    (?P<share>百分之)?
    (?P<minus>负|(?<![\w)\]])-)?  # after a word or a number, "-" is a hyphen, a range or a subtraction
    (?:
      (?<!{LETTER})(?<!\^)(?<!\d\.)  # not inside a number or a name: "113400", "H2O", "m^2", "1.2.3"
      (?P<digits> (?:\d+(?:\.\d+)?|\.\d+) (?:[eE][+-]?\d{{1,2}}(?!\w))? )
    | (?P<chinese> (?:[零〇一二两三四五六七八九]|十(?!分(?![钟米])))
        (?:[零〇一二两三四五六七八九十百万亿]|千(?![克瓦])){{0,20}}
        (?:点[零〇一二三四五六七八九]{{1,20}})? )
    | (?i: \b(?P<words> (?:{"|".join(_TENS)})(?:[ -](?:{"|".join(_DIGITS)}))?|{"|".join(_WORDS)} )\b )
    )
    (?P<scale> [ ]?% | [ -]?(?i:per[ ]?cent|thousand|million|billion)\b
    | [ ]?(?:万亿|亿|万|千(?![克米瓦卡])|百(?!分)) )?  # 3千克 is 3 kg
    """,
    re.VERBOSE,
)


@dataclass(frozen=True)
class Number:
    """A number as it stands in a text: its value, how many decimals it is written with, what it is scaled by.

    "2.7 million" has the value 2700000, one decimal and the scale 1000000. A percentage keeps its figure: 75 for "75%".
    """

    value: Decimal
    decimals: int
    scale: Decimal
    is_percent: bool


def fold(text: str) -> str:
    """The text with half-width characters, straight quotation marks and no thousands separators.

    >>> fold("共１，２３４个, 11 340 or 1'234'567.5")
    '共1234个, 11340 or 1234567.5'
    """
    text = unicodedata.normalize("NFKC", text.translate(_SIGNS)).replace("{,}", ",")  # the last is TeX's 1{,}234
    return _GROUPED.sub(lambda match: match[0].replace(match[1], ""), text)


def numbers_in(folded: str) -> Iterator[Number]:
    """All numbers in a text that `fold` has been through, in order.

    >>> [str(number.value) for number in numbers_in("一共56个，是三倍, or fifty-six of 2.5 million; H2O and 3-5")]
    ['56', '3', '56', '2500000.0', '3', '5']
    """
    return (number for match in _NUMBER.finditer(folded) if (number := _number(match)))


def number_at_start(folded: str) -> tuple[Number, str] | None:
    """The number that the text begins with, and what follows it; None where it begins otherwise.

    >>> number_at_start("75 % of it")
    (Number(value=Decimal('75'), decimals=0, scale=Decimal('1'), is_percent=True), ' of it')
    """
    match = _NUMBER.match(folded)
    number = _number(match) if match else None
    return (number, folded[match.end() :]) if match and number else None


def _number(match: re.Match[str]) -> Number | None:
    if match["digits"]:
        value: Decimal | None = Decimal(match["digits"])
    elif match["chinese"]:
        value = chinese_value(match["chinese"])
    else:
        value = _words_value(match["words"].lower())
    if value is None:
        return None
    mark = " ".join((match["scale"] or "").lower().replace("-", " ").split())
    scale = _SCALES[mark] if mark else Decimal(1)
    exponent = value.as_tuple().exponent
    decimals = max(0, -exponent) if isinstance(exponent, int) else 0
    is_percent = bool(match["share"]) or mark in ("%", "percent", "per cent")
    return Number(value * scale * (-1 if match["minus"] else 1), decimals, scale, is_percent)


def chinese_value(numeral: str) -> Decimal | None:
    """The value of a Chinese numeral; None for a lone 一.

    >>> [str(chinese_value(numeral)) for numeral in ("五十六", "一百零二", "一千五", "两万三千", "一九八七")]
    ['56', '102', '1500', '23000', '1987']
    """
    if numeral == "一":
        return None
    whole, _, fraction = numeral.partition("点")
    if not set(whole) & set(_CHINESE_UNITS):
        value = int("".join(str(_CHINESE_DIGITS[digit]) for digit in whole))
    else:
        value = _with_units(whole)
    decimals = "".join(str(_CHINESE_DIGITS[digit]) for digit in fraction)
    return Decimal(f"{value}.{decimals}") if decimals else Decimal(value)


def _with_units(numeral: str) -> int:
    total, section, digit, last_unit = 0, 0, 0, 1
    for character in numeral:
        if character in _CHINESE_DIGITS:
            digit = _CHINESE_DIGITS[character]
            last_unit = last_unit if digit else 10
        elif character in "十百千":
            last_unit = _CHINESE_UNITS[character]
            section += (digit or 1) * last_unit
            digit = 0
        else:
            last_unit = _CHINESE_UNITS[character]
            total, section, digit = (total + section + digit) * last_unit, 0, 0
    return total + section + digit * max(1, last_unit // 10)  # 一千五 is short for 一千五百


def _words_value(words: str) -> Decimal | None:
    if words == "one":
        return None
    parts = re.split("[ -]", words)
    return Decimal(sum(_TENS.get(part, _WORDS.get(part, 0)) for part in parts))
