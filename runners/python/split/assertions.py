"""The assertions of tests: which they are, in an order that no alteration changes, and code that notes how each went.

Pure. Both sides count by it: who plans alterations where no candidate is, and who runs the tests beside one.
"""

from __future__ import annotations

import ast
from typing import Any, Dict, Iterator, List, Optional, Tuple

NOTE = "_assay_note"
FAILED = "_assay_failed"
RAISING = {"raises", "assertRaises", "assertRaisesRegex"}
# Contexts that may keep a failure to themselves.
SWALLOWING = RAISING | {"suppress", "assertWarns", "assertWarnsRegex", "warns", "deprecated_call"}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
WITH = (ast.With, ast.AsyncWith)


def called_name(node: ast.AST) -> str:
    """The last name of what is called, or ""."""
    func = node.func if isinstance(node, ast.Call) else None
    return func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""


def is_raising(statement: ast.AST) -> bool:
    return isinstance(statement, WITH) and any(called_name(item.context_expr) in RAISING for item in statement.items)


def is_assertion(node: ast.AST) -> bool:
    if isinstance(node, ast.Assert) or is_raising(node):
        return True
    return isinstance(node, ast.Expr) and called_name(node.value).startswith("assert")


def place_of(node: Any) -> Tuple[int, int]:
    return node.lineno, node.col_offset


def assertions(tree: ast.Module) -> List[ast.stmt]:
    """In the order of the text, the same before and after an alteration."""
    return sorted((node for node in ast.walk(tree) if is_assertion(node)), key=place_of)


def noting(tree: ast.Module, first: int) -> ast.Module:
    """
    The same with a note of every assertion, by its number from `first`, whether it passed or failed. One that failed does
    not end its test, so that all of them are tried, and what comes behind finds things as they are otherwise.
    """
    numbers = {id(node): first + at for at, node in enumerate(assertions(tree))}
    rewrite(tree, numbers, False)
    return ast.fix_missing_locations(tree)


def rewrite(node: ast.AST, numbers: Dict[int, int], is_awaited: bool) -> None:
    """`is_awaited`: somebody waits for the failure itself, inside the same function."""
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        body = getattr(node, field, None)
        if not isinstance(body, list):
            continue
        for each in body:
            is_own = isinstance(each, (*FUNCTIONS, ast.ClassDef))
            waits = field == "body" and (swallows(each) or isinstance(each, ast.Try) and bool(each.handlers))
            rewrite(each, numbers, not is_own and (is_awaited or waits))
        if field not in ("handlers", "cases"):
            setattr(node, field, [new for s in body for new in with_note(s, numbers.get(id(s)), is_awaited)])


def with_note(statement: ast.stmt, number: Optional[int], is_awaited: bool) -> List[ast.stmt]:
    if number is None:
        return [statement]
    passed, failed = (ast.copy_location(note_of(name, number), statement) for name in (NOTE, FAILED))
    if is_awaited:
        return [statement, passed]
    handler = ast.ExceptHandler(ast.copy_location(ast.Name("BaseException", ast.Load()), statement), None, [failed])
    tried = ast.Try([statement], [ast.copy_location(handler, statement)], [passed], [])
    return [ast.copy_location(tried, statement)]


def note_of(name: str, number: int) -> ast.stmt:
    return ast.Expr(ast.Call(ast.Name(name, ast.Load()), [ast.Constant(number)], []))


def swallows(node: ast.AST) -> bool:
    return isinstance(node, WITH) and any(called_name(item.context_expr) in SWALLOWING for item in node.items)


def sure(body: List[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements that are reached when nothing before them fails."""
    for statement in body:
        yield statement
        if isinstance(statement, (ast.Return, ast.Raise)):
            return
        if isinstance(statement, WITH):
            if not swallows(statement):
                yield from sure(statement.body)
            if any(isinstance(each, (ast.Return, ast.Raise)) for each in ast.walk(statement)):
                return


def pieces_of(tests: Dict[str, Any]) -> Dict[str, str]:
    """The texts of tests by name, in the order in which their assertions are counted."""
    kind = tests["kind"]
    if kind == "asserts":
        return {"cases/%d" % at: text for at, text in enumerate(tests["cases"])}
    if kind == "check":
        return {"code": tests["code"]}
    return {"files/" + path: tests["files"][path] for path in sorted(tests["files"]) if path.endswith(".py")}


def code_of(name: str, text: str, first: int, filename: str) -> Tuple[Any, int]:
    """A piece compiled with its notes, and the number of the next piece's first assertion."""
    tree = ast.parse(text, filename)
    count = len(assertions(tree))
    return compile(noting(tree, first), filename, "exec", dont_inherit=True), first + count
