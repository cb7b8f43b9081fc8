"""Which calls tests are sure to make, read off their text, so that they can be sent before they are made.

A plan only saves time: calls that turn out otherwise are made one by one. It is read where no candidate is.
"""

from __future__ import annotations

import ast
import builtins
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

IMPORTS = (ast.Import, ast.ImportFrom)


class Call(NamedTuple):
    name: str
    args: List[Any]
    kwargs: Dict[str, Any]


def call_of_assert(statement: ast.stmt) -> Optional[Call]:
    """The one call with literal arguments that `assert f(…)`, `assert not f(…)` or `assert f(…) == …` begins with."""
    if not isinstance(statement, ast.Assert):
        return None
    node = statement.test
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        node = node.operand
    if isinstance(node, ast.Compare):
        node = node.left
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return None
    try:
        kwargs = {str(word.arg): ast.literal_eval(word.value) for word in node.keywords if word.arg is not None}
        args = [ast.literal_eval(arg) for arg in node.args]
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
    return Call(node.func.id, args, kwargs) if len(kwargs) == len(node.keywords) else None


def calls_of_check(tree: ast.Module, text: str) -> List[Call]:
    """The calls of the parameter of `check`, where it does nothing else with it, one after the other. Else none."""
    found = [s for s in tree.body if isinstance(s, ast.FunctionDef) and s.name == "check"]
    if len(found) != 1 or len(found[0].args.args) != 1:
        return []
    name = found[0].args.args[0].arg
    calls = [call for call in map(call_of_assert, found[0].body) if call is not None and call.name == name]
    # Wherever else the name stands, in a loop or a text, it may mean a call.
    return calls if text.count(name) == len(calls) + 1 else []


def call_of_case(text: str) -> Optional[Call]:
    """The call of a test that is one assert."""
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    call = call_of_assert(body[0]) if len(body) == 1 else None
    if call is None or hasattr(builtins, call.name) or text.count(call.name) != 1:
        return None
    return call


def only_imports(text: Optional[str]) -> Tuple[bool, List[str]]:
    """Whether code does nothing but import, and the names that it gives."""
    try:
        body = ast.parse(text or "").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return False, []
    imports = [s for s in body if isinstance(s, IMPORTS)]
    return len(imports) == len(body), [(a.asname or a.name) for s in imports for a in s.names]
