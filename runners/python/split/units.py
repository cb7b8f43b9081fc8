"""The tests of a submission by name, and the places in their text where a literal can be altered. Pure: text in, places out."""

from __future__ import annotations

import ast
import random
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Set, Tuple

from assay_assertions import FUNCTIONS, WITH, assertions, called_name, pieces_of, sure
from assay_literals import (
    Near, altered, equals, expected_error, is_literal, leaves, targets, truth_of)
from assay_testing import test_paths

# Of a test, and of all of them, so that they can be told.
SITES_MAX = 48
ALL_SITES_MAX = 20_000
LEAVES_MAX = 6
VARIANTS = 3
ERRORS = ("BufferError", "ReferenceError", "EOFError")
USABLE = ("value", "error")


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

    def unit(self, text: Text, ident: str, body: List[ast.stmt], scope: "Scope", rows: Optional[Rows] = None) -> Unit:
        reached = [each for each in sure(body) if id(each) in text.numbers]
        known = once_assigned(body, scope)
        sites: List[Site] = []
        hidden = shown = 0
        for statement in reached:
            found = list(self.sites(text, statement, known, scope.loads, rows))
            if found and any(map(self.is_shown, calls_in(statement))):
                shown += 1
                continue
            hidden += len(found)
            sites.extend(found)
        sites = self.trimmed(sites, SITES_MAX)
        numbers = [text.numbers[id(s)] for s in reached]
        count = rows.count if rows else 1
        return Unit(ident, text.piece, rows is not None, count, bool(shown and not hidden), numbers, sites)

    def trimmed(self, sites: List[Site], most: int) -> List[Site]:
        """As many as that, and of each assertion one rather than of one all; values and errors first."""
        if len(sites) <= most:
            return sites
        mixed = sorted(self.rng.sample(sites, len(sites)), key=lambda site: site.kind not in USABLE)
        seen: Dict[Tuple[int, Optional[int]], int] = {}
        ranks = []
        for site in mixed:
            rank = seen[site.at, site.row] = seen.get((site.at, site.row), -1) + 1
            ranks.append(rank)
        order = sorted(range(len(mixed)), key=lambda at: ranks[at])
        return [mixed[at] for at in order[:most]]

    def sites(self, text: Text, statement: ast.stmt, known: Dict[str, ast.expr], loads: Dict[str, int],
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

    def resolved(self, node: ast.expr, known: Dict[str, ast.expr], loads: Dict[str, int],
                 rows: Optional[Rows]) -> Iterator[Tuple[ast.expr, Optional[int]]]:
        """Literals that a node stands for: itself, the one value of a variable used nowhere else, a column of a table."""
        if is_literal(node):
            yield node, None
        elif isinstance(node, ast.Name) and loads.get(node.id) == 1:
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


class Scope:
    """How often names are read and set in what can see a test's variables."""

    def __init__(self, *parts: ast.AST) -> None:
        self.loads: Dict[str, int] = {}
        self.stores: Dict[str, int] = {}
        for node in (node for part in parts for node in ast.walk(part) if isinstance(node, ast.Name)):
            counts = self.loads if isinstance(node.ctx, ast.Load) else self.stores
            counts[node.id] = counts.get(node.id, 0) + 1


def once_assigned(body: List[ast.stmt], scope: Scope) -> Dict[str, ast.expr]:
    """Names that get a literal, once and for all."""
    found = {}
    for statement in sure(body):
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            if isinstance(target, ast.Name) and scope.stores.get(target.id) == 1 and is_literal(statement.value):
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


def units_of(tests: Dict[str, Any]) -> List[Unit]:
    """All tests, with no more places than can be told. Raises SyntaxError for a text that is no Python, and ValueError where the tests cannot be told from it."""
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
    units: List[Unit] = []
    if kind == "asserts":
        # Cases see each other's variables.
        scope = Scope(*(text.tree for text in texts.values()))
        units.extend(finder.unit(text, str(at + 1), text.tree.body, scope) for at, text in enumerate(texts.values()))
    elif kind == "check":
        text = texts["code"]
        found = [s for s in text.tree.body if isinstance(s, FUNCTIONS) and s.name == "check"]
        if not found:
            raise ValueError("tests.code defines no check")
        parameter = found[-1].args.args[0].arg if found[-1].args.args else ""
        units.append(finder.unit(text, "check", found[-1].body, Scope(found[-1])))
    for path in test_paths(tests.get("files") or {}):
        text = texts["files/" + path]
        check_form(text.tree, path)
        units.extend(of_unittest(finder, text, path) if kind == "unittest" else of_pytest(finder, text, path, tests))
    most = max(1, ALL_SITES_MAX // max(1, len(units)))
    return [unit._replace(sites=finder.trimmed(unit.sites, most)) for unit in units]


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
    classes = classes_of(text.tree)
    for name, (is_case, _, methods) in classes.items():
        for method, function in methods.items() if is_case else ():
            unit = finder.unit(text, "%s.%s.%s" % (module, name, method), function.body, Scope(function))
            yield owned(unit, function, classes)


def of_pytest(finder: Finder, text: Text, path: str, tests: Dict[str, Any]) -> Iterator[Unit]:
    everything = "".join(source for name, source in tests["files"].items() if name.endswith(".py"))
    has_open_rows = any(word in everything for word in ("params=", "pytest_generate_tests", "pytestmark"))
    functions = {node.name: node for node in text.tree.body if isinstance(node, FUNCTIONS) and node.name.startswith("test")}
    for name, node in functions.items():
        yield finder.unit(text, "%s::%s" % (path, name), node.body, Scope(node), rows_of(node, has_open_rows))
    classes = classes_of(text.tree)
    for name, (is_case, has_init, methods) in classes.items():
        if not (is_case or name.startswith("Test") and not has_init):
            continue
        for method, function in methods.items():
            rows = None if is_case else rows_of(function, has_open_rows)
            unit = finder.unit(text, "%s::%s::%s" % (path, name, method), function.body, Scope(function), rows)
            yield owned(unit, function, classes)


def owned(unit: Unit, function: Any, classes: Dict[str, Methods]) -> Unit:
    """A method that more than one class has is altered for all of them, and so for none."""
    owners = sum(m.own.get(function.name) is function for m in classes.values())
    return unit if owners == 1 else unit._replace(sites=[])
