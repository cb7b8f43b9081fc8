"""Which literals an assertion expects, and into what each can be altered so that a right program must fail.

Pure. A literal is only taken where failing follows from the text alone: the assertion is sure to be
reached, and what it compares with equals the old literal and so cannot equal the new one. What is doubtful is no place.
"""

from __future__ import annotations

import ast
import random
from typing import Any, Iterator, List, NamedTuple, Optional, Tuple

from assay_assertions import RAISING, WITH, called_name

EXACT = {
    "assertEqual", "assertEquals", "assertListEqual", "assertDictEqual", "assertSetEqual", "assertTupleEqual",
    "assertSequenceEqual", "assertMultiLineEqual", "assertCountEqual", "assert_equal", "assert_array_equal",
}
NEAR = {"assertAlmostEqual", "assertAlmostEquals", "assert_allclose", "assert_almost_equal", "assert_array_almost_equal",
        "isclose", "allclose"}
CALLED_WITH = {"assert_called_with", "assert_called_once_with"}
# What differs when one of the literals that it is made of does.
MAKERS = {"set", "frozenset", "list", "tuple", "dict", "array", "deque", "Counter", "OrderedDict", "Decimal", "Fraction"}


class Near(NamedTuple):
    absolute: float
    relative: float


Target = Tuple[ast.expr, Optional[Near]]


def is_literal(node: ast.AST) -> bool:
    if isinstance(node, ast.Constant):
        return node.value is not ...
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.USub) and is_number(node.operand)
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        return all(map(is_literal, node.elts))
    if isinstance(node, ast.Dict):
        return all(key is not None and is_literal(key) for key in node.keys) and all(map(is_literal, node.values))
    if isinstance(node, ast.Call):
        return called_name(node) in MAKERS and len(node.args) == 1 and not node.keywords and is_literal(node.args[0])
    return False


def is_number(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


def number_of(node: ast.AST) -> Optional[float]:
    try:
        value = ast.literal_eval(node)  # type: ignore[arg-type]
        return float(value) if type(value) in (int, float) else None
    except (ValueError, TypeError, SyntaxError, OverflowError):
        return None


def near_of(call: ast.Call) -> Optional[Near]:
    """The tolerance of a comparison, None where the text does not tell it."""
    name = called_name(call)
    absolute = 0.0 if name in ("approx", "isclose", "allclose", "assert_allclose") else 5e-7
    relative = 1e-4 if absolute == 0.0 else 0.0
    for word in call.keywords:
        value = number_of(word.value)
        if word.arg in ("places", "decimal") and value is not None:
            absolute = 1.5 * 10.0 ** -value
        elif word.arg in ("delta", "abs", "atol", "abs_tol") and value is not None:
            absolute = max(absolute, value)
        elif word.arg in ("rel", "rtol", "rel_tol") and value is not None:
            relative = max(relative, value)
        elif word.arg not in ("msg", "err_msg", "equal_nan", "verbose", "nan_ok"):
            return None
    extra = call.args[1 if name == "approx" else 2:]
    if extra:
        value = number_of(extra[0])
        if name not in ("assertAlmostEqual", "assertAlmostEquals", "assert_almost_equal") or value is None:
            return None
        absolute = 1.5 * 10.0 ** -value
    return Near(absolute, relative)


def of_pair(expected: ast.expr, other: ast.expr) -> Iterator[Target]:
    if is_literal(other):
        return
    if called_name(expected) == "approx" and isinstance(expected, ast.Call) and expected.args:
        near = near_of(expected)
        if near is not None:
            yield expected.args[0], near
        return
    yield expected, None


def of_test(test: ast.expr) -> Iterator[Target]:
    """What an expression that must be true compares with."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        # What comes behind a part that fails is left out, with all that it would do.
        yield from of_test(test.values[-1])
    elif isinstance(test, ast.Compare) and len(test.ops) == 1:
        yield from of_comparison(test.left, test.ops[0], test.comparators[0])
    elif isinstance(test, ast.Call) and called_name(test) in NEAR:
        yield from of_call(test)


def of_comparison(left: ast.expr, op: ast.cmpop, right: ast.expr) -> Iterator[Target]:
    if isinstance(op, ast.Eq):
        yield from of_pair(right, left)
        yield from of_pair(left, right)
    elif isinstance(op, ast.Is) and isinstance(right, ast.Constant) and (right.value is None or type(right.value) is bool):
        yield right, None
    elif isinstance(op, (ast.Lt, ast.LtE)):
        bound = number_of(right)
        inner = left.args[0] if isinstance(left, ast.Call) and called_name(left) == "abs" and len(left.args) == 1 else None
        if bound is not None and isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Sub):
            for one, other in (inner.left, inner.right), (inner.right, inner.left):
                if not is_literal(other):
                    yield one, Near(bound, 0.0)


def of_call(call: ast.Call) -> Iterator[Target]:
    name, args = called_name(call), call.args
    if name in EXACT and len(args) >= 2:
        yield from of_pair(args[1], args[0])
        yield from of_pair(args[0], args[1])
    elif name in NEAR and len(args) >= 2:
        near = near_of(call)
        if near is not None:
            for one, other in (args[1], args[0]), (args[0], args[1]):
                if not is_literal(other):
                    yield one, near
    elif name == "assertIs" and len(args) >= 2:
        yield from of_comparison(args[0], ast.Is(), args[1])
    elif name == "assertTrue" and args:
        yield from of_test(args[0])
    elif name in CALLED_WITH:
        for each in [*args, *(word.value for word in call.keywords if word.arg is not None)]:
            yield each, None


def targets(statement: ast.stmt) -> Iterator[Target]:
    if isinstance(statement, ast.Assert):
        yield from of_test(statement.test)
    elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        yield from of_call(statement.value)


def truth_of(statement: ast.stmt) -> Optional[ast.expr]:
    """What is asked only whether it is true, and compared with nothing."""
    if isinstance(statement, ast.Assert):
        test = statement.test
        return test if isinstance(test, (ast.Call, ast.Name, ast.Attribute, ast.Subscript)) else None
    call = statement.value if isinstance(statement, ast.Expr) else None
    if called_name(call) in ("assertTrue", "assertFalse") and isinstance(call, ast.Call) and call.args:
        return None if isinstance(call.args[0], (ast.Compare, ast.BoolOp)) else call.args[0]
    return None


def expected_error(statement: ast.stmt) -> Optional[ast.expr]:
    """The class of exceptions that must come."""
    calls: List[ast.expr] = []
    if isinstance(statement, WITH):
        # What it is bound to holds the exception, for later.
        calls = [item.context_expr for item in statement.items if item.optional_vars is None]
    if isinstance(statement, ast.Expr):
        calls = [statement.value]
    for call in calls:
        if called_name(call) in RAISING and isinstance(call, ast.Call) and call.args:
            return call.args[0]
    return None


# New values


class Leaf(NamedTuple):
    node: ast.expr
    value: Any
    # Only digits may change: the text of a number.
    is_digits: bool


def leaves(node: ast.expr, is_digits: bool = False) -> Iterator[Leaf]:
    if isinstance(node, ast.Constant):
        yield Leaf(node, node.value, is_digits)
    elif isinstance(node, ast.UnaryOp):
        yield Leaf(node, ast.literal_eval(node), is_digits)
    elif isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values):
            if key is not None:
                yield from leaves(key)
            yield from leaves(value)
    elif isinstance(node, ast.Call):
        name = called_name(node)
        # A set of a text's characters may stay the same.
        if not (name in ("set", "frozenset") and isinstance(node.args[0], ast.Constant)):
            yield from leaves(node.args[0], name in ("Decimal", "Fraction"))
    else:
        for each in getattr(node, "elts", ()):
            yield from leaves(each)


def other_digit(digit: str, rng: random.Random, least: str) -> str:
    return rng.choice([each for each in "0123456789" if each != digit and each >= least])


def altered_text(text: str, rng: random.Random, is_digits: bool) -> Optional[str]:
    """One character another of its kind; of a text without letters and digits, any."""
    if not text:
        return None if is_digits else "x"
    usual = [at for at, char in enumerate(text) if char.isascii() and (char.isdigit() if is_digits else char.isalnum())]
    if is_digits and not usual:
        return None
    at = rng.choice(usual or range(len(text)))
    char = text[at]
    if char.isdigit() and char.isascii():
        new = other_digit(char, rng, "0")
    else:
        new = rng.choice([c for c in "abcdefghijklmnopqrstuvwxyz" if c != char.lower()])
        new = new.upper() if char.isupper() else new
    return text[:at] + new + text[at + 1:]


def altered_number(value: Any, rng: random.Random, near: Optional[Near]) -> Any:
    """As many digits, and farther away than a tolerance lets be."""
    digits = repr(abs(value))
    places = [at for at, char in enumerate(digits.partition("e")[0]) if char.isdigit()]
    first = next((at for at in places if digits[at] != "0"), places[0])
    # Any of them of a number that is compared exactly, else the one that weighs most.
    at = first if near is not None else rng.choice([each for each in places if each >= first][:15])
    leads = at == 0 and type(value) is int and (len(places) > 1 or value < 0)
    least = "1" if leads or near is not None else "0"
    text = digits[:at] + other_digit(digits[at], rng, least) + digits[at + 1:]
    new = type(value)(text)
    return -new if value < 0 else new


def altered(leaf: Leaf, rng: random.Random, near: Optional[Near]) -> Any:
    """Another value of the same type and length, or None."""
    value = leaf.value
    if type(value) is bool:
        return None if near is not None else not value
    if type(value) in (int, float):
        if value != value or value in (float("inf"), float("-inf")) or len(repr(value)) > 400:
            return None
        new = altered_number(value, rng, near)
        if near is not None and abs(new - value) <= 2.5 * (near.absolute + near.relative * max(abs(new), abs(value))):
            return None
        return new
    if near is not None:
        return None
    if type(value) is str:
        return altered_text(value, rng, leaf.is_digits)
    if type(value) is bytes and value.isascii():
        text = altered_text(value.decode("ascii"), rng, False)
        return None if text is None else text.encode("ascii")
    return None


def equals(one: Any, other: Any) -> bool:
    return type(one) is type(other) and one == other or isinstance(one, (int, float)) and isinstance(
        other, (int, float)) and one == other
