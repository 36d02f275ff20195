"""Operators and functions that answer at once or refuse: every size is bounded before the work and after it.

Numbers are int (exact) and float. Where the mathematical result is a whole number it stays an int if it can.
Errors are Python's own (ZeroDivisionError, OverflowError, ValueError); `calculator` makes ToolErrors of them.
"""

import ast
import math
from collections.abc import Callable, Mapping
from decimal import ROUND_HALF_UP, Decimal, localcontext

from agents.errors import ToolError

Number = int | float

MAX_DIGITS = 4_000  # Python itself refuses to print more than 4,300
MAX_BITS = int(MAX_DIGITS * math.log2(10))
MAX_FACTORIAL = 170  # the last one that a float can hold
CONSTANTS: dict[str, float] = {"pi": math.pi, "e": math.e, "tau": math.tau}


def bounded(number: Number) -> Number:
    """The number itself; OverflowError where it is too large to show, ValueError where it is not a real number.

    >>> bounded(2**100)
    1267650600228229401496703205376
    """
    if isinstance(number, complex) or number != number:
        raise ValueError("not a real number")
    if isinstance(number, int):
        if number.bit_length() > MAX_BITS:
            raise OverflowError("too many digits")
    elif math.isinf(number):
        raise OverflowError("not finite")
    return number


def add(left: Number, right: Number) -> Number:
    """The sum. Floats that cancel but for rounding give 0, so that 0.1 + 0.2 - 0.3 is 0."""
    if isinstance(left, int) and isinstance(right, int):
        return left + right
    return 0 if math.isclose(left, -right, rel_tol=2e-15) else left + right


def subtract(left: Number, right: Number) -> Number:
    """The difference, rounded as in `add`."""
    return add(left, -right)


def divide(left: Number, right: Number) -> Number:
    """The quotient: exact where two whole numbers divide without remainder."""
    if isinstance(left, int) and isinstance(right, int) and left % right == 0:
        return left // right
    return left / right


def power(base: Number, exponent: Number) -> Number:
    """`base` to the `exponent`; OverflowError before any work where the result would be too long.

    >>> power(2, 10)
    1024
    """
    if isinstance(base, int) and isinstance(exponent, int) and abs(base) > 1:
        least_bits = (base.bit_length() - 1) * exponent
        if least_bits > MAX_BITS:
            raise OverflowError("too many digits")
    if base < 0 and exponent != math.floor(exponent):
        raise ValueError("a root of a negative number")
    result: Number = base**exponent
    return result


def percent(number: Number) -> Number:
    """Hundredths, as the sign % after a number means them."""
    return divide(number, 100)


def whole(number: Number) -> int:
    """The number as an int; ToolError("wrong_arguments") where it has a fraction."""
    if number != math.floor(number):
        raise ToolError("wrong_arguments", str(number))
    return int(number)


def factorial(number: Number) -> int:
    """The factorial of a whole number up to 170."""
    if number > MAX_FACTORIAL:
        raise OverflowError("factorial")
    return math.factorial(whole(number))


def combinations(total: Number, chosen: Number) -> int:
    """In how many ways `chosen` of `total` things can be picked."""
    total, chosen = whole(total), whole(chosen)
    picked = min(chosen, total - chosen)
    if min(total, picked * total.bit_length()) > MAX_BITS // 2:  # slower than a power of that size
        raise OverflowError("combinations")
    return math.comb(total, chosen)


def permutations(total: Number, chosen: Number) -> int:
    """In how many orders `chosen` of `total` things can be laid out."""
    total, chosen = whole(total), whole(chosen)
    if min(total, chosen) * total.bit_length() > 2 * MAX_BITS:
        raise OverflowError("permutations")
    return math.perm(total, chosen)


def greatest_common_divisor(*numbers: Number) -> int:
    """The greatest common divisor of whole numbers."""
    return math.gcd(*map(whole, numbers))


def least_common_multiple(*numbers: Number) -> int:
    """The least common multiple of whole numbers."""
    result = 1
    for number in numbers:
        result = math.lcm(result, whole(number))
        bounded(result)
    return result


def square_root(number: Number) -> Number:
    """The square root: exact for the squares of whole numbers."""
    if isinstance(number, int) and number >= 0 and math.isqrt(number) ** 2 == number:
        return math.isqrt(number)
    return math.sqrt(number)


def cube_root(number: Number) -> Number:
    """The cube root, also of a negative number."""
    root = math.cbrt(number)
    nearest = round(root)
    return nearest if nearest**3 == number else root


def logarithm(number: Number, base: Number) -> float:
    """The logarithm to a base. Without one it could mean base 10 or base e, so `log` of one number is refused."""
    result = math.log(number, base)
    return round(result) if power(base, round(result)) == number else result


def round_half_up(number: Number, digits: Number = 0) -> Number:
    """The number rounded as at school: halves go away from zero. `digits` may be -15 to 15.

    >>> round_half_up(2.5), round_half_up(2.675, 2)
    (3, 2.68)
    """
    places = whole(digits)
    if abs(places) > 15:
        raise ToolError("wrong_arguments", f"round(…, {places})")
    with localcontext(prec=MAX_DIGITS + 50):
        exact = Decimal(number if isinstance(number, int) else f"{number:.15g}")
        rounded = exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    return int(rounded) if places <= 0 else float(rounded)


def without_dust(number: Number) -> Number:
    """The number as it is displayed, so that the ceiling of 0.1 * 3 * 10 is 3."""
    return float(f"{number:.14g}") if isinstance(number, float) and abs(number) < 1e14 else number


def floor(number: Number) -> int:
    """The whole number at or below."""
    return math.floor(without_dust(number))


def ceiling(number: Number) -> int:
    """The whole number at or above."""
    return math.ceil(without_dust(number))


def total(*numbers: Number) -> Number:
    """The sum of all."""
    result: Number = 0
    for number in numbers:
        result = add(result, number)
    return result


def mean(*numbers: Number) -> Number:
    """The average of all."""
    return divide(total(*numbers), len(numbers))


def sine(angle: Number) -> float:
    """The sine of an angle in radians; 0 where only rounding keeps it from 0."""
    return _zero_if_dust(math.sin(angle))


def cosine(angle: Number) -> float:
    """The cosine of an angle in radians; 0 where only rounding keeps it from 0."""
    return _zero_if_dust(math.cos(angle))


def tangent(angle: Number) -> float:
    """The tangent of an angle in radians; ZeroDivisionError where it has none."""
    return sine(angle) / cosine(angle)


def _zero_if_dust(number: float) -> float:
    return 0.0 if abs(number) < 1e-15 else number


OPERATORS: Mapping[type[ast.operator], Callable[[Number, Number], Number]] = {
    ast.Add: add,
    ast.Sub: subtract,
    ast.Mult: lambda left, right: left * right,
    ast.Div: divide,
    ast.FloorDiv: lambda left, right: left // right,
    ast.Mod: lambda left, right: left % right,
    ast.Pow: power,
}

# Each function with the smallest and the largest number of its arguments.
MANY = 1_000
FUNCTIONS: dict[str, tuple[Callable[..., Number], int, int]] = {
    "sqrt": (square_root, 1, 1),
    "cbrt": (cube_root, 1, 1),
    "abs": (abs, 1, 1),
    "round": (round_half_up, 1, 2),
    "floor": (floor, 1, 1),
    "ceil": (ceiling, 1, 1),
    "min": (min, 2, MANY),
    "max": (max, 2, MANY),
    "sum": (total, 1, MANY),
    "mean": (mean, 1, MANY),
    "pow": (power, 2, 2),
    "percent": (percent, 1, 1),
    "exp": (math.exp, 1, 1),
    "ln": (math.log, 1, 1),
    "log": (logarithm, 2, 2),
    "log2": (lambda number: logarithm(number, 2), 1, 1),
    "log10": (lambda number: logarithm(number, 10), 1, 1),
    "sin": (sine, 1, 1),
    "cos": (cosine, 1, 1),
    "tan": (tangent, 1, 1),
    "asin": (math.asin, 1, 1),
    "acos": (math.acos, 1, 1),
    "atan": (math.atan, 1, 1),
    "radians": (math.radians, 1, 1),
    "degrees": (math.degrees, 1, 1),
    "factorial": (factorial, 1, 1),
    "gcd": (greatest_common_divisor, 2, MANY),
    "lcm": (least_common_multiple, 2, MANY),
    "comb": (combinations, 2, 2),
    "perm": (permutations, 2, 2),
}
