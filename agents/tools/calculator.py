"""The calculator: works arithmetic out by walking Python's syntax tree with a short list of what is allowed.

Nothing is ever handed to `eval`. Every operator and function comes from `arithmetic`, where sizes are bounded before
the work begins; a time limit would not help, since a thread that raises 9 to 9**9 cannot be stopped.
"""

import ast
import threading
import warnings
from decimal import Decimal

from agents.errors import ToolError
from agents.tools.arithmetic import CONSTANTS, FUNCTIONS, OPERATORS, Number, bounded
from agents.tools.notation import as_python

MAX_CHARACTERS = 1_000
# Lanes calculate at the same time. Python 3.11 counts the depth of a parse in one place for all threads, and
# `catch_warnings` changes what all of them see.
_PARSING = threading.Lock()


def calculate(expression: str) -> str:
    """The value of an arithmetic expression: whole numbers exactly, others with 14 digits.

    Angles are in radians. Raises ToolError, always within a tenth of a second, with one of the kinds empty, too_long
    (over 1,000 characters), clock_time, not_an_expression, unsupported, too_large (over 4,000 digits),
    division_by_zero, no_real_result, wrong_arguments, ambiguous_percent, ambiguous_comma, ambiguous_product,
    ambiguous_log.

    >>> calculate("(12 + 8) × 3 =")
    '60'
    >>> calculate("0.1 + 0.2")
    '0.3'
    """
    if len(expression.strip()) > MAX_CHARACTERS:
        raise ToolError("too_long", str(MAX_CHARACTERS))
    source = as_python(expression)
    if not source:
        raise ToolError("empty")
    try:
        return display(_value(_tree(source)))
    except ZeroDivisionError:
        raise ToolError("division_by_zero") from None
    except OverflowError:
        raise ToolError("too_large") from None
    except ValueError:  # so Python's math says that there is no real result
        raise ToolError("no_real_result") from None
    except (RecursionError, MemoryError):  # so Python's parser says that it is nested too deeply
        raise ToolError("too_long", str(MAX_CHARACTERS)) from None


def display(number: Number) -> str:
    """The number as a person writes it.

    >>> display(2.0), display(0.1 * 3), display(0.00001), display(1e30)
    ('2', '0.3', '0.00001', '1e+30')
    """
    if isinstance(number, int):
        return str(number)
    if number.is_integer() and abs(number) < 1e15:
        return str(int(number))
    rounded = f"{number:.14g}"
    return f"{Decimal(rounded):f}" if 1e-9 <= abs(number) < 1e15 else rounded


def _tree(source: str) -> ast.expr:
    try:
        with _PARSING, warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            return ast.parse(source, mode="eval").body
    except (SyntaxError, ValueError):  # ValueError: a character that no source text may hold
        raise ToolError("not_an_expression", source[:60]) from None


def _value(node: ast.expr) -> Number:
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return bounded(number)
        case ast.Name(id=name) if name in CONSTANTS:
            return CONSTANTS[name]
        case ast.Name(id=name):
            raise ToolError("not_an_expression", name[:60])
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _value(operand)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
            values = _value(left), _value(right)
            if isinstance(op, ast.Add | ast.Sub) and _is_percentage(right) and values[0] != 1:
                raise ToolError("ambiguous_percent")  # 200 + 10% is 220 or 200.1; only from 1 are both the same
            return bounded(OPERATORS[type(op)](*values))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in FUNCTIONS:
            return _call(name, arguments)
    raise ToolError("unsupported", ast.unparse(node)[:60])


def _call(name: str, arguments: list[ast.expr]) -> Number:
    function, fewest, most = FUNCTIONS[name]
    match arguments:
        case [ast.List(elts=items) | ast.Tuple(elts=items)] if most > 2:  # sum([1, 2])
            arguments = items
    if name == "log" and len(arguments) == 1:
        raise ToolError("ambiguous_log")
    if not fewest <= len(arguments) <= most:
        raise ToolError("wrong_arguments", name)
    return bounded(function(*map(_value, arguments)))


def _is_percentage(node: ast.expr) -> bool:
    match node:
        case ast.UnaryOp(operand=operand):
            return _is_percentage(operand)
        case ast.Call(func=ast.Name(id="percent")):
            return True
    return False
