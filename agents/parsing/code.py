"""Takes the code out of a reply, and tells whether two versions of a work are the same.

Knows no programming language but Python, and that only to compare and to tell code from prose.
"""

import ast
import io
import re
import tokenize
from dataclasses import dataclass

from agents.parsing.fences import Block, fenced_blocks
from agents.parsing.reasoning import split_reasoning
from agents.parsing.slip import Slip

_NO_PROGRAM = frozenset(["bash", "sh", "shell", "console", "text", "txt", "output", "diff", "json", "markdown", "md"])
_DEFINES = re.compile(
    r"^\s*(?:export\s+|public\s+|static\s+|async\s+)*(?:def|class|function|func|fn|interface|struct)\s+(\w+)",
    re.MULTILINE,
)
_CODE_LINE = re.compile(
    r"\s*(?:(?:async\s+)?def\s+\w+\s*\(|class\s+\w+\s*[:(]|(?:import|from)\s+[\w.]+(?:\s+import\b|\s*$|\s+as\b)|@\w+"
    r"|(?:function|func|fn|public|const|let|var|#include|package|using)\s+\S.*[{;(=>]"
    r"|[\w.\[\]]+\s*(?:[-+*/]?=)\s*\S+\s*;?$|(?:if|for|while|with|try|else|elif)\b.*:\s*$|return\b.*[\w)\];]$|print\(.*\)$"
    r"|[{}]\s*;?$|(?:SELECT|INSERT|UPDATE|CREATE)\s.*)"
)
_WORDS = (ast.Name, ast.Constant, ast.BinOp, ast.Tuple, ast.Compare, ast.Attribute, ast.UnaryOp)
_STATEMENTS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
_SPACE = (tokenize.COMMENT, tokenize.NL, tokenize.ENDMARKER, tokenize.ENCODING)
_SHAPE = (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)


@dataclass(frozen=True)
class ReadCode:
    """The code of a reply, and what was cut or missing."""

    code: str
    slips: tuple[Slip, ...] = ()


def read_code(reply: str, previous: str = "") -> ReadCode:
    r"""The code: the last complete block, all of a reply without a fence, or `previous` where there is no code.

    >>> read_code("Sure:\n```python\nx = 1\n```")
    ReadCode(code='x = 1', slips=(Slip(rule='prose_removed', cut='Sure:'),))
    >>> read_code("The code is fine.", previous="x = 1")
    ReadCode(code='x = 1', slips=(Slip(rule='no_code', cut='The code is fine.'),))
    """
    text, reasoning = split_reasoning(reply)
    slips: tuple[Slip, ...] = (Slip("reasoning_removed", reasoning),) if reasoning else ()
    blocks = [block for block in fenced_blocks(text) if block.text.strip()]
    if blocks:
        block = _chosen(blocks, previous)
        prose = f"{text[: block.start].strip()}\n{text[block.end :].strip()}".strip()
        slips += (Slip("prose_removed", prose),) if prose else ()
        slips += () if block.closed else (Slip("truncated"),)
        return ReadCode(block.text.strip("\r\n"), slips)
    if looks_like_code(text):
        return ReadCode(text.strip("\r\n").rstrip(), slips)
    code = _code_in_prose(text)
    if code:
        before, _, after = text.partition(code)
        return ReadCode(code, (*slips, Slip("prose_removed", f"{before.strip()}\n{after.strip()}".strip())))
    if not previous.strip():
        return ReadCode(text.strip(), (*slips, Slip("no_code")))
    if text.strip() and not looks_like_code(previous):
        return ReadCode(text.strip(), slips)
    return ReadCode(previous, (*slips, Slip("no_code", text.strip())))


def looks_like_code(text: str) -> bool:
    """Whether the text is code rather than prose.

    >>> looks_like_code("def f(x):\\n    return x"), looks_like_code("Hello"), looks_like_code("It is fine.")
    (True, False, False)
    """
    body = _python(text)
    if body is not None:
        return any(not (isinstance(node, ast.Expr) and isinstance(node.value, _WORDS)) for node in body)
    lines = [line for line in text.splitlines() if line.strip()]
    code_lines = [line for line in lines if _CODE_LINE.match(line) or line.startswith(("    ", "\t"))]
    return bool(lines) and bool(_CODE_LINE.match(lines[0])) and len(code_lines) * 2 >= len(lines)


def same_work(one: str, other: str) -> bool:
    """Whether two versions differ in nothing but blanks (and comments, where both are Python).

    >>> same_work("def f(n):\\n    return n*2", "def f(n):\\n    return n * 2  # twice")
    True
    >>> same_work("print('a#b')", "print('a#c')")
    False
    """
    return fingerprint(one) == fingerprint(other)


def fingerprint(work: str) -> str:
    """What is left of a version without blanks and comments: equal for two versions that are the same."""
    if not (_python(work) and looks_like_code(work)):
        return " ".join(work.split())
    tokens = tokenize.generate_tokens(io.StringIO(work).readline)
    try:
        kept = [
            tokenize.tok_name[token.type] if token.type in _SHAPE else token.string
            for token in tokens
            if token.type not in _SPACE
        ]
    except (tokenize.TokenError, IndentationError, SyntaxError):
        return " ".join(work.split())
    return "\x00".join(kept)


def _python(text: str) -> list[ast.stmt] | None:
    """The statements of the text where it is Python, else None."""
    try:
        return ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _chosen(blocks: list[Block], previous: str) -> Block:
    """The last complete block that defines what the work defines, so that neither old snippet nor example is taken."""
    programs = [block for block in blocks if block.language.lower() not in _NO_PROGRAM] or blocks
    complete = [block for block in programs if block.closed or _python(block.text)] or programs
    names = set(_DEFINES.findall(previous))
    same = [block for block in complete if names & set(_DEFINES.findall(block.text))]
    defining = [block for block in complete if _DEFINES.search(block.text)]
    return (same or defining or complete)[-1]


def _code_in_prose(text: str) -> str:
    """The Python that stands without a fence between lines of prose; empty where there is none."""
    lines = text.splitlines()[:500]
    first = next((index for index, line in enumerate(lines) if _CODE_LINE.match(line)), None)
    if first is None:
        return ""
    for last in range(len(lines), first, -1):
        code = "\n".join(lines[first:last]).rstrip()
        body = _python(code)
        if body and any(isinstance(node, _STATEMENTS) for node in body):
            return code
    return ""
