"""Altered tests: every place that is found makes a right program fail, there and nowhere else, whatever is put there.

Standard library only; runs the modules of python/split by name, without a jail.
"""

from __future__ import annotations

import collections
import decimal
import importlib.util
import math
import os
import sys
import unittest
import unittest.mock
from typing import Any, Dict, List, Tuple

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python", "split")


def load(name: str) -> Any:
    spec = importlib.util.spec_from_file_location("assay_" + name, os.path.join(FOLDER, name + ".py"))
    assert spec and spec.loader
    module = sys.modules["assay_" + name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


load("channel")
load("testing")
assertions = load("assertions")
load("literals")
units = load("units")
planner = load("planner")

BODY = '''
assert same(3) == 3
assert 17 == same(17) and same("ab") == 'ab'
assert same([1, -2, 3.5]) == [1, -2, 3.5]
assert same({"a": 1, "b": (True, None)}) == {"a": 1, "b": (True, None)}
assert same(b"xy") == b"xy"
assert same({1, 2}) == {1, 2}
assert abs(same(2.5) - 2.5) < 1e-6
assert abs(7 - same(7)) <= 0.5
assert same(True) is True
assert same(None) is None
assert same("") == ""
assert same("é€ü") == "é€ü"; assert same("x") == "x"
assert same(-0.0) == 0
assert same(1e-09) == 1e-09
assert same(100) == 100 and same(5) == 5
assert same([True, True, False]) == [True, True, False]
assert math.isclose(same(0.1), 0.1)
assert collections.Counter(same("abca")) == collections.Counter({"a": 2, "b": 1, "c": 1})
assert set(same([1, 1, 2])) == set([1, 1, 2])
assert decimal.Decimal(same("1.10")) == decimal.Decimal("1.10")
expected = [4, 5]
result = same([4, 5])
assert result == expected
with context():
    assert same("in") == "in"
    assert same
assert same(12)
for n in (1, 2):
    assert same(n) == n
'''
METHODS = '''
self.assertEqual(same(3), 3)
self.assertEqual({"k": 1}, same({"k": 1}))
self.assertListEqual(same([1]), [1])
self.assertCountEqual(same([2, 1]), [1, 2])
self.assertAlmostEqual(same(1.5), 1.5)
self.assertAlmostEqual(same(1.5), 1.6, delta=0.2)
self.assertAlmostEqual(same(3.1416), 3.14, places=1)
self.assertAlmostEqual(same(1.5), 1.5, 3)
self.assertTrue(same(4) == 4)
self.assertTrue(same(5))
self.assertFalse(same(0))
self.assertIs(same(False), False)
with self.assertRaises(ValueError):
    int("x")
with self.assertRaisesRegex((KeyError, IndexError), "."):
    [][1]
self.assertRaises(TypeError, len, 3)
called = mock.Mock()
called("a", n=2)
called.assert_called_once_with("a", n=2)
with self.subTest("s"):
    self.assertEqual(same(8), 8)
'''


class Context:
    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: Any) -> bool:
        return False


def results(text: str) -> Tuple[List[int], List[int]]:
    """Assertions that passed, and that failed."""
    passed: List[int] = []
    failed: List[int] = []
    code, _ = assertions.code_of("cases/0", text, 0, "<test>")
    space = {"same": lambda x: x, "context": Context, "math": math, "collections": collections, "decimal": decimal,
             "self": unittest.TestCase(), "mock": unittest.mock, assertions.NOTE: passed.append, assertions.FAILED: failed.append}
    exec(code, space)
    return passed, failed


class Alterations(unittest.TestCase):
    def check(self, text: str, least: int) -> None:
        tests = {"kind": "asserts", "cases": [text]}
        unit, = units.units_of(tests)
        passed, failed = results(text)
        self.assertEqual(failed, [])
        self.assertLessEqual(set(unit.sure), set(passed))
        data = text.encode()
        for site in unit.sites:
            self.assertTrue(site.texts)
            for new in site.texts:
                altered = (data[:site.start] + new.encode() + data[site.end:]).decode()
                where = (data[site.start:site.end].decode(), new)
                found = results(altered)
                self.assertEqual(found, ([n for n in passed if n != site.at], [site.at]), where)
                if site.kind == "value" and new not in ("True", "False") and '""' not in where[0]:
                    self.assertEqual(len(new), len(where[0]), where)
        self.assertGreaterEqual(len({site.at for site in unit.sites}), least)

    def test_a_failure_that_is_awaited_comes(self) -> None:
        text = """
with self.assertRaises(AssertionError):
    assert same(1) == 2
try:
    assert same(1) == 2
except AssertionError:
    seen = 1
assert seen == 1
assert same(1) == 2
assert same(2) == 2
"""
        # The one that raises is an assertion itself.
        self.assertEqual(results(text), ([0, 3, 5], [4]))

    def test_every_place_fails_where_it_is(self) -> None:
        units.SITES_MAX, most = 1000, units.SITES_MAX
        try:
            self.check(BODY, 25)
            self.check(METHODS, 17)
        finally:
            units.SITES_MAX = most

    def test_what_is_doubtful_is_no_place(self) -> None:
        for text in (
            "assert f(1) != 2", "assert f(1) > 2", "assert f(1) in (1, 2)", "assert f(1) == g(2)", "assert f(1) or f(2) == 3",
            "if x:\n    assert f(1) == 2", "try:\n    assert f(1) == 2\nfinally:\n    pass", "assert 1 == 1",
            "e = [1]\ne.append(2)\nassert f() == e", "e = 1\ne = 2\nassert f() == e",
            "with contextlib.suppress(E):\n    assert f(1) == 2", "self.assertAlmostEqual(f(1), 2, delta=d)",
            "self.assertAlmostEqual(f(1), 2, delta=9)", "assert abs(f(1) - 2) < eps", "assert set(f(1)) == set('aab')",
            "assert math.isclose(f(1), 2, rel_tol=0.9)", "assert [x for x in f(1)] == sorted([2])", "assert {True, False} == f()",
        ):
            with self.subTest(text):
                self.assertEqual([s for s in units.units_of({"kind": "asserts", "cases": [text]})[0].sites if s.kind != "truth"], [])

    def test_a_variable_of_another_case_is_no_place(self) -> None:
        found = units.units_of({"kind": "asserts", "cases": ["e = 3\nassert f(1) == e", "assert f(2) == e"]})
        self.assertEqual([unit.sites for unit in found], [[], []])

    def test_examples_of_the_prompt_are_no_places(self) -> None:
        code = "def check(candidate):\n    assert candidate([1, 2], 'x') == 3\n    assert candidate([], 'y') == 4\n"
        prompt = 'def f(a, b):\n    """\n    >>> f([1,2], "x")\n    3\n    """\n'
        unit, = units.units_of({"kind": "check", "code": code, "entry": "f", "prompt": prompt})
        self.assertEqual({site.at for site in unit.sites}, {1})
        self.assertFalse(unit.shown)

    def test_rows_of_a_table(self) -> None:
        text = "import pytest\n@pytest.mark.parametrize('x, y', [(1, 2), (3, 4)])\ndef test_a(x, y):\n    assert f(x) == y\n"
        unit, = units.units_of({"kind": "pytest", "files": {"test_x.py": text}})
        self.assertEqual((unit.id, unit.rows, unit.has_rows), ("test_x.py::test_a", 2, True))
        self.assertEqual([(site.row, text[site.start:site.end]) for site in unit.sites], [(0, "2"), (1, "4")])

    def test_methods_of_classes(self) -> None:
        text = """import unittest
class Base(unittest.TestCase):
    def test_a(self):
        self.assertEqual(f(1), 2)
class More(Base):
    def test_b(self):
        self.assertEqual(f(1), 2)
class Alone(unittest.TestCase):
    async def test_c(self):
        self.assertEqual(f(1), 2)
"""
        found = {u.id: len(u.sites) for u in units.units_of({"kind": "unittest", "files": {"test_x.py": text}})}
        self.assertEqual(found, {"test_x.Base.test_a": 0, "test_x.More.test_a": 0, "test_x.More.test_b": 1,
                                 "test_x.Alone.test_c": 1})


    def test_of_very_many_places_each_assertion_keeps_one(self) -> None:
        cases = ["assert f(%d) == [%s]" % (n, ", ".join("12345"))  for n in range(9000)]
        found = units.units_of({"kind": "asserts", "cases": cases})
        self.assertEqual({len(unit.sites) for unit in found}, {2})


class Plans(unittest.TestCase):
    def problem(self, **tests: Any) -> Any:
        return planner.planned(tests)

    def test_what_cannot_be_judged_so_is_told(self) -> None:
        for tests, said in (
            ({"kind": "asserts", "cases": ["assert f(1) == 2", "assert f(1)"]}, "test 2 has no expected literal"),
            ({"kind": "check", "code": "x = 1", "entry": "f"}, "defines no check"),
            ({"kind": "unittest", "files": {"test_x.py": "x = 1"}}, "no tests"),
            ({"kind": "unittest", "files": {"test_x.py": "if x:\n    def test_a(): pass"}}, "conditionally"),
            ({"kind": "unittest", "files": {"test_x.py": "class T(Other):\n    def test_a(self): pass"}}, "inherits"),
            ({"kind": "asserts", "cases": ["assert f(1) == 2"], "prompt": "f(1)"}, "example of the prompt"),
        ):
            with self.subTest(said):
                self.assertIn(said, planner.planned(tests)["problem"])
        self.assertIn("invalid syntax", planner.planned({"kind": "asserts", "cases": ["assert =="]})["broken"])


if __name__ == "__main__":
    unittest.main()
