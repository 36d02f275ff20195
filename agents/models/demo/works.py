"""The writing tasks that the demo model knows: a function and an explanation. What it writes is in `works.toml`."""

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from agents.events import Language
from agents.models.demo.phrases import content
from agents.prompts import fill

Algorithm = Literal["naive", "bounded", "sieve"]


@dataclass(frozen=True)
class CodeTask:
    """Asks for the function that returns all primes."""


@dataclass(frozen=True)
class TextTask:
    """Asks for the explanation of the rainbow: so many sentences, without the hard words."""

    sentences: int
    hard_words: Mapping[Language, list[str]]
    first: Mapping[Language, str]
    better: Mapping[Language, str]
    vague: Mapping[Language, str]
    precise: Mapping[Language, str]


Work = CodeTask | TextTask


@dataclass(frozen=True)
class Code:
    """A version of the function: which algorithm, and how it is written."""

    algorithm: Algorithm
    has_clear_names: bool
    is_typed: bool
    has_docstring: bool

    def text(self, language: Language) -> str:
        """The version as a reply: a block of Python."""
        table = content("works.toml")["primes"]
        docstring = f'    """{table["docstring"][language]}"""\n' if self.has_docstring else ""
        values = {
            "int": ": int" if self.is_typed else "",
            "list": " -> list[int]" if self.is_typed else "",
            "doc": docstring,
        }
        code = fill(table["code"][self.algorithm]["clear" if self.has_clear_names else "short"], values)
        return f"```python\n{code.strip()}\n```"


@dataclass(frozen=True)
class ReadCode:
    """What is seen in code: the version that it is most like, names that say nothing, and a loop that ends early."""

    code: Code
    unclear_names: tuple[str, ...]
    leaves_out_n: bool


def find_work(question: str) -> Work | None:
    """The writing task that the text asks for, if it is one that is known."""
    for name, work in _works().items():
        if re.search(content("works.toml")[name]["question"], question, re.IGNORECASE | re.DOTALL):
            return work
    return None


def first_code(prompt: str) -> Code:
    """The version that a prompt gets first: the obvious one, with what the prompt says it must have."""
    return Code(
        "naive",
        has_clear_names=re.search(r"(?:clear|telling|descriptive|good) names|清楚的(?:名称|命名)|有意义的", prompt)
        is not None,
        is_typed=re.search(r"type hint|annotat|类型标注|类型注解|类型提示", prompt, re.IGNORECASE) is not None,
        has_docstring=re.search(r"docstring|文档字符串", prompt, re.IGNORECASE) is not None,
    )


def code_in(text: str) -> str:
    """The Python code that the text begins with or holds in a block; "" where there is none.

    >>> print(code_in("def f(n):\\n    return n\\n\\nSay what should change."))
    def f(n):
        return n
    """
    block = re.search(r"^```\w*\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    source = block[1] if block else text
    start = re.search(r"^(?:from|import|def|class|@)\b", source, re.MULTILINE)
    if start is None or not re.search(r"^\s*def ", source, re.MULTILINE):
        return ""
    lines = source[start.start() :].split("\n")
    is_code = re.compile(r"\s|$|(?:from|import|def|class|if|for|while|return|print)\b|[@#)\]}]|\w+ ?=")
    end = next((number for number, line in enumerate(lines) if not is_code.match(line)), len(lines))
    return "\n".join(lines[:end]).strip()


def read_code(source: str) -> ReadCode:
    """What the code does and how it is written. Raises SyntaxError where it is no Python."""
    tree = ast.parse(source)
    nodes = list(ast.walk(tree))
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    has_remainder = any(isinstance(node, ast.Mod) for node in nodes)
    has_bound = re.search(r"sqrt|\*\* ?0\.5|\b(\w+) ?\* ?\1 ?<=", source) is not None
    algorithm: Algorithm = ("bounded" if has_bound else "naive") if has_remainder else "sieve"
    stored = [node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    unclear = tuple(dict.fromkeys(name for name in stored if len(name) == 1))
    is_typed = any(function.returns is not None for function in functions)
    has_docstring = any(ast.get_docstring(function) for function in functions)
    loops = [node.iter for node in nodes if isinstance(node, ast.For) and isinstance(node.iter, ast.Call)]
    leaves_out_n = has_remainder and bool(loops) and isinstance(loops[0].args[-1], ast.Name)
    return ReadCode(Code(algorithm, not unclear, is_typed, has_docstring), unclear, leaves_out_n)


@cache
def _works() -> dict[str, Work]:
    table: dict[str, Any] = content("works.toml")["rainbow"]
    return {
        "primes": CodeTask(),
        "rainbow": TextTask(
            **{name: table[name] for name in ("sentences", "hard_words", "first", "better", "vague", "precise")}
        ),
    }
