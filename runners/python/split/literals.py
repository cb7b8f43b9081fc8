"""Which literals of tests can be altered so that a right program must fail, and into what.

Pure: text in, places out. A place is only taken where failing follows from the text alone: the assertion is sure to be
reached, and what it compares with equals the old literal and so cannot equal the new one. What is doubtful is no place.
"""

from __future__ import annotations

import ast
import os
import random
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Set, Tuple

SITES_MAX = 24
LEAVES_MAX = 6
VARIANTS = 3
NOTE = "_assay_note"
FAILED = "_assay_failed"
RAISING = {"raises", "assertRaises", "assertRaisesRegex"}
# Contexts that may keep a failure to themselves.
SWALLOWING = RAISING | {"suppress", "assertWarns", "assertWarnsRegex", "warns", "deprecated_call"}
EXACT = {
    "assertEqual", "assertEquals", "assertListEqual", "assertDictEqual", "assertSetEqual", "assertTupleEqual",
    "assertSequenceEqual", "assertMultiLineEqual", "assertCountEqual", "assert_equal", "assert_array_equal",
}
NEAR = {"assertAlmostEqual", "assertAlmostEquals", "assert_allclose", "assert_almost_equal", "assert_array_almost_equal",
        "isclose", "allclose"}
CALLED_WITH = {"assert_called_with", "assert_called_once_with"}
# What differs when one of the literals that it is made of does.
MAKERS = {"set", "frozenset", "list", "tuple", "dict", "array", "deque", "Counter", "OrderedDict", "Decimal", "Fraction"}
ERRORS = ("BufferError", "ReferenceError", "EOFError")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
WITH = (ast.With, ast.AsyncWith)


class Site(NamedTuple):
    """`texts` may take the place of bytes `start` to `end`; then assertion `at` fails, in row `row` of a parametrized test."""

    at: int
    kind: str
    start: int
    end: int
    texts: List[str]
    row: Optional[int] = None


class Unit(NamedTuple):
    """One test. `rows` is how many results it has: 1, a number, or None where only running tells."""

    id: str
    piece: str
    has_rows: bool
    rows: Optional[int]
    shown: bool
    sure: List[int]
    sites: List[Site]


class Near(NamedTuple):
    absolute: float
    relative: float


Target = Tuple[ast.expr, Optional[Near]]


# Assertions


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


# Expected values


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


# Tests


class Text:
    """One piece of test code: its tree, its assertions by number, and where its bytes are."""

    def __init__(self, piece: str, text: str, first: int) -> None:
        self.piece = piece
        self.tree = ast.parse(text, piece)
        found = assertions(self.tree)
        self.numbers = {id(node): first + at for at, node in enumerate(found)}
        self.next = first + len(found)
        self.data = text.encode("utf-8")
        self.starts = [0]
        # Lines as Python counts them: ends of other kinds are no ends here.
        for at, byte in enumerate(self.data):
            if byte == 10 or byte == 13 and self.data[at + 1:at + 2] != b"\n":
                self.starts.append(at + 1)

    def span(self, node: Any) -> Optional[Tuple[int, int]]:
        """Of a node on one line; a longer one may not be replaced, for the lines behind it would move."""
        if node.lineno != node.end_lineno:
            return None
        start = self.starts[node.lineno - 1]
        return start + node.col_offset, start + node.end_col_offset


class Rows(NamedTuple):
    """The table of a parametrized test: the row of values by the name of its column."""

    count: Optional[int]
    columns: Dict[str, List[ast.expr]]


class Finder:
    def __init__(self, is_shown: Callable[[str], bool], rng: random.Random) -> None:
        self.is_shown = is_shown
        self.rng = rng

    def unit(self, text: Text, ident: str, body: List[ast.stmt], scope: ast.AST, rows: Optional[Rows] = None) -> Unit:
        reached = [each for each in sure(body) if id(each) in text.numbers]
        loads = [node.id for node in ast.walk(scope) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
        known = once_assigned(body, scope)
        sites: List[Site] = []
        hidden = shown = 0
        for statement in reached:
            found = list(self.sites(text, statement, known, loads, rows))
            if found and any(map(self.is_shown, calls_in(statement))):
                shown += 1
                continue
            hidden += len(found)
            sites.extend(found)
        if len(sites) > SITES_MAX:
            sites = sorted(self.rng.sample(sites, SITES_MAX))
        numbers = [text.numbers[id(s)] for s in reached]
        count = rows.count if rows else 1
        return Unit(ident, text.piece, rows is not None, count, bool(shown and not hidden), numbers, sites)

    def sites(self, text: Text, statement: ast.stmt, known: Dict[str, ast.expr], loads: List[str],
              rows: Optional[Rows]) -> Iterator[Site]:
        at = text.numbers[id(statement)]
        is_any = False
        for node, near in targets(statement):
            for literal, row in self.resolved(node, known, loads, rows):
                for site in self.values(text, at, literal, near, row):
                    is_any = True
                    yield site
        error = expected_error(statement)
        span = None if error is None else text.span(error)
        if error is not None and span is not None:
            # No class of them is raised where one of the others is expected.
            texts = [name for name in ERRORS if name not in ast.unparse(error)]
            yield Site(at, "error", *span, texts[:2])
        truth = None if is_any else truth_of(statement)
        span = None if truth is None else text.span(truth)
        if truth is not None and span is not None:
            source = text.data[span[0]:span[1]].decode("utf-8")
            yield Site(at, "truth", *span, ["(not %s)" % source])

    def resolved(self, node: ast.expr, known: Dict[str, ast.expr], loads: List[str],
                 rows: Optional[Rows]) -> Iterator[Tuple[ast.expr, Optional[int]]]:
        """Literals that a node stands for: itself, the one value of a variable used nowhere else, a column of a table."""
        if is_literal(node):
            yield node, None
        elif isinstance(node, ast.Name) and loads.count(node.id) == 1:
            if node.id in known:
                yield known[node.id], None
            elif rows is not None and node.id in rows.columns:
                for row, value in enumerate(rows.columns[node.id]):
                    if is_literal(value):
                        yield value, row

    def values(self, text: Text, at: int, literal: ast.expr, near: Optional[Near], row: Optional[int]) -> Iterator[Site]:
        found = list(leaves(literal))
        taken = [leaf.value for leaf in found]
        usable = [leaf for leaf in found if text.span(leaf.node) is not None]
        for leaf in usable if len(usable) <= LEAVES_MAX else self.rng.sample(usable, LEAVES_MAX):
            span = text.span(leaf.node)
            texts: Set[str] = set()
            if leaf.value is None and leaf.node is literal and near is None:
                texts.add("False")
            for _ in range(VARIANTS * 2):
                new = altered(leaf, self.rng, near)
                if new is not None and not any(equals(new, each) for each in taken) and len(texts) < VARIANTS:
                    texts.add(repr(new))
            if not texts and type(leaf.value) is bool:
                # The other one is there, too; it changes the list all the same, though not a set or a key.
                texts.update([repr(not leaf.value)] if isinstance(literal, (ast.List, ast.Tuple)) else [])
            if texts and span is not None:
                yield Site(at, "value", *span, sorted(texts), row)


def calls_in(statement: ast.stmt) -> List[str]:
    """What is called with arguments, without blanks and with one kind of quotes."""
    heads: List[ast.AST] = [item.context_expr for item in statement.items] if isinstance(statement, WITH) else [statement]
    calls = [node for head in heads for node in ast.walk(head) if isinstance(node, ast.Call) and (node.args or node.keywords)]
    return [squeezed(ast.unparse(call)) for call in calls if not called_name(call).startswith("assert")]


def squeezed(text: str) -> str:
    return "".join(text.split()).replace('"', "'")


def once_assigned(body: List[ast.stmt], scope: ast.AST) -> Dict[str, ast.expr]:
    """Names that get a literal, once and for all."""
    stores = [node.id for node in ast.walk(scope) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)]
    found = {}
    for statement in sure(body):
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            if isinstance(target, ast.Name) and stores.count(target.id) == 1 and is_literal(statement.value):
                found[target.id] = statement.value
    return found


def rows_of(function: Any, has_open_rows: bool) -> Optional[Rows]:
    """The table of a parametrized test, None for one that is run once."""
    tables = [each for each in function.decorator_list if called_name(each) == "parametrize"]
    if not tables:
        arguments = [arg.arg for arg in function.args.args if arg.arg not in ("self", "cls")]
        return Rows(None, {}) if has_open_rows and arguments else None
    if len(tables) > 1 or has_open_rows or len(tables[0].args) < 2:
        return Rows(None, {})
    names, table = tables[0].args[:2]
    if not isinstance(table, (ast.List, ast.Tuple)) or any(isinstance(each, ast.Starred) for each in table.elts):
        return Rows(None, {})
    try:
        value = ast.literal_eval(names)
    except ValueError:
        return Rows(None, {})
    columns = [name.strip() for name in value.split(",")] if isinstance(value, str) else list(value)
    lines = [cells_of(row, len(columns)) for row in table.elts]
    if any(line is None for line in lines):
        return Rows(len(lines), {})
    return Rows(len(lines), {name: [line[at] for line in lines if line] for at, name in enumerate(columns)})


def cells_of(row: ast.expr, width: int) -> Optional[List[ast.expr]]:
    if called_name(row) == "param" and isinstance(row, ast.Call):
        cells = row.args
    elif width == 1:
        return [row]
    else:
        cells = row.elts if isinstance(row, (ast.List, ast.Tuple)) else []
    return list(cells) if len(cells) == width else None


class Methods(NamedTuple):
    is_case: bool
    has_init: bool
    own: Dict[str, Any]


def classes_of(tree: ast.Module) -> Dict[str, Methods]:
    """The classes of a file with their test methods, those that they inherit from each other included."""
    found: Dict[str, Methods] = {}
    for node in tree.body:
        if not isinstance(node, ast.ClassDef):
            continue
        bases = [base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "") for base in node.bases]
        methods: Dict[str, Any] = {}
        for base in reversed(bases):
            methods.update(found[base].own if base in found else {})
        methods.update({s.name: s for s in node.body if isinstance(s, FUNCTIONS) and s.name.startswith("test")})
        is_case = any(base.endswith("TestCase") or base in found and found[base].is_case for base in bases)
        has_init = any(isinstance(s, FUNCTIONS) and s.name == "__init__" for s in node.body)
        found[node.name] = Methods(is_case, has_init, methods)
    return found


def test_paths(files: Dict[str, str]) -> List[str]:
    paths = [path for path in files if path.endswith(".py")]
    named = [p for p in paths if os.path.basename(p).startswith("test_") or p.endswith("_test.py")]
    return named or paths


def pieces_of(tests: Dict[str, Any]) -> Dict[str, str]:
    """The texts of tests by name, in the order in which their assertions are counted."""
    kind = tests["kind"]
    if kind == "asserts":
        return {"cases/%d" % at: text for at, text in enumerate(tests["cases"])}
    if kind == "check":
        return {"code": tests["code"]}
    return {"files/" + path: tests["files"][path] for path in sorted(tests["files"]) if path.endswith(".py")}


def units_of(tests: Dict[str, Any]) -> List[Unit]:
    """All tests. Raises SyntaxError for a text that is no Python, and ValueError where the tests cannot be told from it."""
    texts: Dict[str, Text] = {}
    count = 0
    for name, text in pieces_of(tests).items():
        texts[name] = Text(name, text, count)
        count = texts[name].next
    prompt = squeezed(tests.get("prompt") or "")
    kind = tests["kind"]
    entry = tests.get("entry") or ""
    parameter = ""

    def is_shown(call: str) -> bool:
        name = entry if isinstance(entry, str) else ""
        text = name + call[len(parameter):] if parameter and call.startswith(parameter + "(") else call
        return bool(prompt) and text in prompt

    finder = Finder(is_shown, random.Random(0))
    if kind == "asserts":
        # Cases see each other's variables.
        scope = ast.Module([s for text in texts.values() for s in text.tree.body], [])
        return [finder.unit(text, str(at + 1), text.tree.body, scope) for at, text in enumerate(texts.values())]
    if kind == "check":
        text = texts["code"]
        found = [s for s in text.tree.body if isinstance(s, FUNCTIONS) and s.name == "check"]
        if not found:
            raise ValueError("tests.code defines no check")
        parameter = found[-1].args.args[0].arg if found[-1].args.args else ""
        return [finder.unit(text, "check", found[-1].body, found[-1])]
    units: List[Unit] = []
    for path in test_paths(tests["files"]):
        text = texts["files/" + path]
        check_form(text.tree, path)
        units.extend(of_unittest(finder, text, path) if kind == "unittest" else of_pytest(finder, text, path, tests))
    return units


def check_form(tree: ast.Module, path: str) -> None:
    """Raises ValueError for tests that only running the file would find."""
    classes = classes_of(tree)
    for node in [*tree.body, *(s for node in tree.body if isinstance(node, ast.ClassDef) for s in node.body)]:
        name = getattr(node, "name", "")
        if isinstance(node, FUNCTIONS) and name == "load_tests":
            raise ValueError("%s chooses its tests when it is loaded" % path)
        if isinstance(node, ast.ClassDef) and node.bases and not classes[name].is_case and classes[name].own:
            if not (name.startswith("Test") and all(isinstance(b, ast.Name) and b.id in classes for b in node.bases)):
                raise ValueError("%s: what class %s inherits cannot be told" % (path, name))
        inner = [] if isinstance(node, (*FUNCTIONS, ast.ClassDef)) else list(ast.walk(node))
        if any(isinstance(each, FUNCTIONS) and each.name.startswith("test") for each in inner):
            raise ValueError("%s defines tests conditionally" % path)


def of_unittest(finder: Finder, text: Text, path: str) -> Iterator[Unit]:
    module = path[:-3].replace("/", ".")
    for name, (is_case, _, methods) in classes_of(text.tree).items():
        for method, function in methods.items() if is_case else ():
            yield owned(finder.unit(text, "%s.%s.%s" % (module, name, method), function.body, function), text, function)


def of_pytest(finder: Finder, text: Text, path: str, tests: Dict[str, Any]) -> Iterator[Unit]:
    everything = "".join(source for name, source in tests["files"].items() if name.endswith(".py"))
    has_open_rows = any(word in everything for word in ("params=", "pytest_generate_tests", "pytestmark"))
    functions = {node.name: node for node in text.tree.body if isinstance(node, FUNCTIONS) and node.name.startswith("test")}
    for name, node in functions.items():
        yield finder.unit(text, "%s::%s" % (path, name), node.body, node, rows_of(node, has_open_rows))
    for name, (is_case, has_init, methods) in classes_of(text.tree).items():
        if not (is_case or name.startswith("Test") and not has_init):
            continue
        for method, function in methods.items():
            rows = None if is_case else rows_of(function, has_open_rows)
            unit = finder.unit(text, "%s::%s::%s" % (path, name, method), function.body, function, rows)
            yield owned(unit, text, function)


def owned(unit: Unit, text: Text, function: Any) -> Unit:
    """A method that more than one class has is altered for all of them, and so for none."""
    owners = sum(each is function for m in classes_of(text.tree).values() for each in m.own.values())
    return unit if owners == 1 else unit._replace(sites=[])


def code_of(name: str, text: str, first: int, filename: str) -> Tuple[Any, int]:
    """A piece compiled with its notes, and the number of the next piece's first assertion."""
    tree = ast.parse(text, filename)
    count = len(assertions(tree))
    return compile(noting(tree, first), filename, "exec", dont_inherit=True), first + count
