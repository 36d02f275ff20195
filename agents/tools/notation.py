"""Arithmetic as people and models write it, made into a Python expression: `3×4`, `2³`, `50%`, `5!`, `$1,200 * 2 =`.

This file only rewrites. What an expression may contain is decided in `calculator`, what it is worth in `arithmetic`.
Text that can be read in two ways (`1,5`, `8/2(4)`, `17 % -5`) is refused with a hint, never guessed.
"""

import re
import unicodedata
from dataclasses import dataclass

from agents.errors import ToolError
from agents.tools.arithmetic import CONSTANTS, FUNCTIONS

MAX_BRACKETS = 60

_SIGNS = {"*": "×✕✖✗·⋅∙•∗", "/": "÷∕➗", "-": "−–—‒﹣－➖", "+": "➕"}
_SIGN = {character: sign for sign, characters in _SIGNS.items() for character in characters}
_WORDS = {
    **{r"\times": "*", r"\cdot": "*", r"\div": "/", r"\pi": " pi ", r"\%": "%", r"\left": "", r"\right": ""},
    **{"π": " pi ", "log₂": "log2", "log₁₀": "log10", "US$": "$", "HK$": "$"},
}
_CLOCK_TIME = re.compile(r"\b(\d{1,2})\s*[:：]\s*(\d{2})\b")
_SUPERSCRIPTS = "⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹"
_PLAIN_SUPERSCRIPTS = str.maketrans(_SUPERSCRIPTS, "+-0123456789")
_ROOTS = {"√": "sqrt", "∛": "cbrt"}
_QUOTES = {"`": "`", '"': '"', "'": "'", "“": "”", "「": "」"}
_TOKEN = re.compile(
    r"(?P<number>(?:\d{1,3}(?:,\d{3})+(?!\d)|\d{1,2}(?:,\d{2})+,\d{3}(?!\d)|\d+)(?:\.\d*)?(?:[eE][+-]?\d+)?"
    r"|\.\d+(?:[eE][+-]?\d+)?)"
    rf"|(?P<superscript>[{_SUPERSCRIPTS}]+)"
    rf"|(?P<name>[^\W\d][^\W{_SUPERSCRIPTS}]*)"  # superscripts count as letters
    r"|(?P<sign>\*\*|//|<<|>>|[=!<>]=|!!|%%|\S)"
)


def as_python(text: str) -> str:
    """The text as a Python expression. It may still be none at all, or hold what the calculator refuses.

    >>> as_python("200 × 10% =")
    '200 * percent ( 10 )'
    >>> as_python("`2(3+4)²`")
    '2 * ( ( 3 + 4 ) ** ( 2 ) )'
    >>> as_python("12,000 / max(1,2)")
    '12000 / max ( 1 , 2 )'
    """
    text = _in_plain_characters(_without_wrapping(text))
    if _CLOCK_TIME.search(text):  # 1:30 may be half past one, an hour and a half, or a ratio
        raise ToolError("clock_time", _CLOCK_TIME.sub(_in_minutes, text)[:120])
    rewriter = _Rewriter()
    for match in _TOKEN.finditer(text):
        before, after = text[: match.start()][-1:], text[match.end() :].lstrip()[:1]
        rewriter.add(match.lastgroup or "", match[0], before, after)
    return " ".join(rewriter.written)


def _in_minutes(time: re.Match[str]) -> str:
    return f"({int(time[1])} * 60 + {int(time[2])})"


def _without_wrapping(text: str) -> str:
    text = re.sub(r"^```[a-z]*\n|\n?```$", "", text.strip()).strip()
    text = text.removeprefix(r"\(").removesuffix(r"\)")
    while len(text) > 1 and _QUOTES.get(text[0]) == text[-1] and text[0] not in text[1:-1]:
        text = text[1:-1].strip()
    if text.startswith("$") and text.endswith("$"):  # a formula in LaTeX, not two prices
        text = text.strip("$")
    text = re.sub(r"^[=＝\s]+|[=＝\s?？.。;；:：]+$", "", text)
    if "\n" in text or "#" in text:  # Python would drop a comment without a word
        raise ToolError("not_an_expression", text[:60])
    return text


def _in_plain_characters(text: str) -> str:
    if re.search(r"\b0[xXbBoO][0-9a-fA-F]", text):
        raise ToolError("unsupported", "0x")
    for word, plain in _WORDS.items():
        text = text.replace(word, plain)
    text = "".join(map(_plain_character, text))
    currencies = re.findall(r"[^\w\s](?=\s*\.?\d)", text)
    signs = {sign for sign in currencies if unicodedata.category(sign) == "Sc"}
    if len(signs) > 1:
        raise ToolError("not_an_expression", text[:60])
    for sign in signs:
        text = re.sub(re.escape(sign) + r"\s*(?=\.?\d)", "", text)
    text = re.sub(r"(?<=\d)_(?=\d)", "", text)
    text = re.sub(r"\bmath\s*\.\s*(?=[a-zA-Z])", "", text)
    text = re.sub(r"%\s*of\b", "% *", text)
    text = re.sub(r"(?<=[\d)%!.\s])[xX](?=\s*[-+]?\s*[\d(.√])", "*", text)
    return re.sub(r"([√∛])\s*(\d[\d,.]*|pi\b)?", _root, text)


def _plain_character(character: str) -> str:
    if character in _SIGN:
        return _SIGN[character]
    if character in _SUPERSCRIPTS:
        return character
    if character.isdecimal():
        return str(unicodedata.decimal(character))
    if unicodedata.category(character) == "No":  # ½, ①, ₂: as plain digits, 2½ would become 21/2
        raise ToolError("unsupported", character)
    return unicodedata.normalize("NFKC", character)


def _root(match: re.Match[str]) -> str:
    return f" {_ROOTS[match[1]]}" + (f"({match[2]})" if match[2] else "")


@dataclass
class _Bracket:
    """An open bracket: whether commas in it part arguments, and which kinds of comma it has seen."""

    function: str
    parts_arguments: bool
    has_group: bool = False
    has_comma: bool = False


class _Rewriter:
    """Takes the tokens one by one and holds what is written of the Python expression so far."""

    def __init__(self) -> None:
        self.written: list[str] = []
        self._brackets: list[_Bracket] = []

    def add(self, kind: str, token: str, before: str, after: str) -> None:
        """Writes one token. `before` is the character before it, `after` the next one that is no space."""
        match kind:
            case "number":
                self._number(token)
            case "name":
                self._name(token, before)
            case "superscript":
                self._wrap(["("], ["**", "(", token.translate(_PLAIN_SUPERSCRIPTS), ")", ")"])
            case _:
                self._sign(token, before, after)

    def _number(self, token: str) -> None:
        if self._last() == ")":
            self._multiply()
        if "," in token and self._parts_arguments():
            self._note_comma(is_group=True)
            self.written += [_plain_number(part) for part in re.split("(,)", token)]
        else:
            self.written.append(_plain_number(token.replace(",", "")))

    def _name(self, token: str, before: str) -> None:
        if token in ("j", "J") and before.isdigit():  # 3j is a complex number
            raise ToolError("unsupported", f"{self._last()}{token}")
        known = token.lower() in FUNCTIONS or token.lower() in CONSTANTS
        if known and self._follows_a_factor():
            self._multiply()
        self.written.append(token.lower() if known else token)

    def _sign(self, token: str, before: str, after: str) -> None:
        match token:
            case "(" | "[":
                self._open(token)
            case ")" | "]":
                self._brackets = self._brackets[:-1]
                self.written.append(token)
            case ",":
                self._note_comma(is_group=False)
                self.written.append(token)
            case "^":
                self.written.append("**")
            case "!":
                self._wrap(["factorial", "("], [")"])
            case "%" if after in ("+", "-") and before.isspace():  # 17 % -5
                raise ToolError("ambiguous_percent")
            case "%" if after == "" or after in ")],*/+-^":
                self._wrap(["percent", "("], [")"])
            case "!!" | "∞":
                raise ToolError("unsupported", token)
            case "%%":
                raise ToolError("not_an_expression", token)
            case _:
                self.written.append(token)

    def _open(self, token: str) -> None:
        if len(self._brackets) >= MAX_BRACKETS:
            raise ToolError("too_long", f"{MAX_BRACKETS} ((…))")
        if self._follows_a_factor():
            self._multiply()
        takes_many = self._last() in FUNCTIONS and FUNCTIONS[self._last()][2] > 1
        is_list = token == "[" and self._parts_arguments()
        self._brackets.append(_Bracket(self._last(), takes_many or is_list))
        self.written.append(token)

    def _note_comma(self, is_group: bool) -> None:
        # max(1,200) has two arguments; log(1,000) and max(1,200, 900) may be meant either way
        if not self._parts_arguments():
            raise ToolError("ambiguous_comma")
        bracket = self._brackets[-1]
        bracket.has_group |= is_group
        bracket.has_comma |= not is_group
        if bracket.has_group and (bracket.has_comma or bracket.function == "log"):
            raise ToolError("ambiguous_comma")

    def _multiply(self) -> None:
        """Writes the multiplication sign that was left out, as in 2(3 + 4)."""
        start = self._operand_start()
        if start > 0 and self.written[start - 1] in ("/", "//", "%"):
            raise ToolError("ambiguous_product")
        self.written.append("*")

    def _wrap(self, opening: list[str], closing: list[str]) -> None:
        start = self._operand_start()
        self.written[start:start] = opening
        self.written += closing

    def _operand_start(self) -> int:
        """Where the last operand begins: a number, a name, or brackets with the function before them."""
        if not (self._last() == ")" or _is_word(self._last())):
            raise ToolError("not_an_expression", self._last())
        depth = 0
        for start in range(len(self.written) - 1, -1, -1):
            depth += (self.written[start] == ")") - (self.written[start] == "(")
            if depth == 0:
                is_call = self._last() == ")" and start > 0 and self.written[start - 1] in FUNCTIONS
                return start - 1 if is_call else start
        raise ToolError("not_an_expression", ")")

    def _follows_a_factor(self) -> bool:
        last = self._last()
        return last == ")" or last in CONSTANTS or (_is_word(last) and not last[0].isalpha() and last[0] != "_")

    def _parts_arguments(self) -> bool:
        return bool(self._brackets) and self._brackets[-1].parts_arguments

    def _last(self) -> str:
        return self.written[-1] if self.written else ""


def _plain_number(text: str) -> str:
    """The number without leading zeros, which Python does not allow."""
    return re.sub(r"^0+(?=\d)", "", text)


def _is_word(token: str) -> bool:
    """Whether the token is a number or a name."""
    return bool(re.search(r"\w", token))
