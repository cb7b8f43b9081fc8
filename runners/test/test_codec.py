"""The codec of the split judgement: what goes out comes back exactly, and nothing that arrives does harm.

Standard library only; runs the modules of python/split as the jails do, by name, without a jail.
"""

from __future__ import annotations

import ast
import collections
import datetime
import decimal
import enum
import fractions
import importlib.util
import math
import os
import random
import sys
import threading
import unittest
from typing import Any, Callable, List

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python", "split")


def load(name: str) -> Any:
    spec = importlib.util.spec_from_file_location("assay_" + name, os.path.join(FOLDER, name + ".py"))
    assert spec and spec.loader
    module = sys.modules["assay_" + name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


channel = load("channel")
codec = load("codec")
remote = load("remote")
plan = load("plan")
worker = load("worker")


def trip(value: Any, hooks: Any = None) -> Any:
    hooks = hooks or codec.Hooks()
    return codec.Decoder(hooks).document(codec.loads(codec.dumps(codec.Encoder(hooks).document(value))))


def alike(a: Any, b: Any) -> bool:
    if type(a) is not type(b):
        return False
    if isinstance(a, float):
        return a == b and math.copysign(1, a) == math.copysign(1, b) or (a != a and b != b)
    if isinstance(a, (list, tuple, collections.deque)):
        return len(a) == len(b) and all(map(alike, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(alike(a[k], b[k]) for k in a)
    return bool(a == b)


def some(rng: random.Random, depth: int = 0) -> Any:
    kinds = 14 if depth < 4 else 8
    kind = rng.randrange(kinds)
    items = lambda: [some(rng, depth + 1) for _ in range(rng.randrange(4))]
    if kind == 0:
        return rng.choice([None, True, False, ..., int, type(None)])
    if kind == 1:
        return rng.getrandbits(rng.choice([1, 8, 62, 63, 64, 65, 500])) * rng.choice([1, -1])
    if kind == 2:
        return rng.choice([0.0, -0.0, math.inf, -math.inf, math.nan, rng.random(), 5e-324, 1e308, 2.0**53 + 2])
    if kind == 3:
        return "".join(chr(rng.choice([0, 34, 92, 97, 0xD800, 0xE9, 0x1F600])) for _ in range(rng.randrange(5)))
    if kind == 4:
        return rng.choice([bytes, bytearray])(rng.randbytes(rng.randrange(5)))
    if kind == 5:
        return complex(rng.random(), -0.0)
    if kind == 6:
        return rng.choice([decimal.Decimal("1.20"), decimal.Decimal("-Infinity"), fractions.Fraction(-7, 3), range(3, 10, 2)])
    if kind == 7:
        zone = datetime.timezone(datetime.timedelta(minutes=rng.randrange(-700, 700)))
        when = datetime.datetime(2024, 2, 29, 1, 2, 3, 4, tzinfo=rng.choice([None, zone]))
        return rng.choice([when, when.date(), when.timetz(), datetime.timedelta(-3, 5, 7), zone])
    if kind == 8:
        return items()
    if kind == 9:
        return tuple(items())
    if kind == 10:
        return {rng.choice([i, str(i), (i, None), -i * 1.5]): item for i, item in enumerate(items())}
    if kind == 11:
        return rng.choice([set, frozenset])(rng.sample([1, "a", (2, 3), 2.5, None], 2))
    if kind == 12:
        return collections.deque(items(), maxlen=rng.choice([None, 7]))
    return rng.choice([collections.Counter("abca"), collections.OrderedDict([(2, 1), (1, 2)]),
                       collections.defaultdict(list, {1: [2]})])


class RoundTrips(unittest.TestCase):
    def test_any_value_comes_back_as_it_went(self) -> None:
        rng = random.Random(1)
        for _ in range(5000):
            value = some(rng)
            self.assertTrue(alike(trip(value), value), value)

    def test_subclasses_are_flattened(self) -> None:
        class Number(int):
            def __int__(self) -> int:
                return 5

        class Text(str):
            def __str__(self) -> str:
                return "other"

        class Keys(dict):  # type: ignore[type-arg]
            def items(self) -> Any:
                return []

        for value, wanted in [(Number(3), 3), (Text("a"), "a"), (Keys({1: 2}), {1: 2}), ({1: 2}.keys(), [1])]:
            self.assertTrue(alike(trip(value), wanted), wanted)

    def test_records_keep_their_circles(self) -> None:
        class Node:
            __slots__ = ("value", "next")

        hooks = codec.Hooks()
        hooks.records["Node"] = Node
        first, second = Node(), Node()
        first.value, first.next, second.value, second.next = 1, second, 2, first
        back = trip([first, second], hooks)
        self.assertIs(back[0].next.next, back[0])
        self.assertIs(back[1], back[0].next)
        chain = None
        for i in range(50_000):
            node = Node()
            node.value, node.next = i, chain
            chain = node
        self.assertEqual(trip(chain, hooks).next.value, 49_998)

    def test_enums_by_name(self) -> None:
        class Colour(enum.Enum):
            RED = 1

        hooks = codec.Hooks()
        hooks.enums["Colour"] = Colour
        self.assertIs(trip(Colour.RED, hooks), Colour.RED)


class Refusals(unittest.TestCase):
    def test_what_is_no_plain_data(self) -> None:
        cyclic: Any = []
        cyclic.append(cyclic)
        deep: Any = []
        for _ in range(1000):
            deep = [deep]
        for value in (object(), lambda: 0, cyclic, deep, iter([]), open, sys):
            with self.assertRaises(codec.Unsupported):
                codec.Encoder(codec.Hooks()).document(value)

    def test_hostile_documents(self) -> None:
        bodies = [None, [], {}, {"v": {}}, {"v": {"a": 1, "b": 2}}, {"v": {"zz": 1}}, {"v": {"R": 0}}, {"v": {"R": -1}, "r": []},
                  {"v": 1, "r": [["object", []]]}, {"v": {"E": ["int", "real"]}}, {"v": {"T": "Popen"}}, {"v": {"i": "1_0"}},
                  {"v": {"i": 1}}, {"v": {"d": [1]}}, {"v": {"s": [[1]]}}, {"v": {"d": [[1], 1]}}, {"v": {"r": [1, 2, 0]}},
                  {"v": {"dt": [0] * 9}}, {"v": {"td": ["x"]}}, {"v": {"q": [[], -1]}}, {"v": {"dd": ["eval", []]}},
                  {"v": {"D": "x"}}, {"v": {"F": [1, 0]}}, {"v": {"c": ["a", 1]}}, {"v": {"b": 7}}, {"v": {"tz": [1, 2]}},
                  {"v": {"h": [0, "x"]}}, {"v": {"cb": 0}}, {"v": {"na": ["|O8", [1], "AAAA"]}}]
        for body in bodies:
            with self.assertRaises(codec.BadData, msg=repr(body)):
                codec.Decoder(codec.Hooks()).document(body)

    def test_fields_that_would_be_more_than_data(self) -> None:
        class Node:
            pass

        hooks = codec.Hooks()
        hooks.records["Node"] = Node
        for name in ("__class__", "__dict__", "__eq__", "a b", "", 1):
            with self.assertRaises(codec.BadData):
                codec.Decoder(hooks).document({"v": {"R": 0}, "r": [["Node", [[name, 1]]]]})

    def test_mutated_documents_never_do_more_than_fail(self) -> None:
        rng = random.Random(2)
        for _ in range(20_000):
            data = bytearray(codec.dumps(codec.Encoder(codec.Hooks()).document(some(rng))))
            for _ in range(1 + rng.randrange(3)):
                data[rng.randrange(len(data))] = rng.choice(b'{}[]",:0123456789abcdefisdtRE')
            try:
                codec.Decoder(codec.Hooks()).document(codec.loads(bytes(data)))
            except (codec.BadData, codec.Unsupported):
                pass

    def test_depth_of_json(self) -> None:
        with self.assertRaises(codec.BadData):
            codec.loads(b"[" * 200_000 + b"]" * 200_000)


class Errors(unittest.TestCase):
    def error(self, *mro: str, args: Any = None) -> Any:
        side = remote.Remote(remote.Stream(None), {})
        return side, side.error_of({"m": list(mro), "a": {"v": args if args is not None else ["x"]}, "s": "x", "t": ""})

    def test_are_of_known_classes(self) -> None:
        self.assertIs(type(self.error("builtins.KeyError", "builtins.Exception")[1]), KeyError)
        side, own = self.error("solution.Own", "builtins.ValueError", "builtins.Exception")
        self.assertIsInstance(own, ValueError)
        self.assertEqual((type(own).__name__, own.args, side.spoiled), ("Own", ("x",), None))
        self.assertIsInstance(self.error("builtins.UnicodeDecodeError", "builtins.Exception")[1], UnicodeDecodeError)

    def test_never_control(self) -> None:
        for mro in (["builtins.SystemExit", "builtins.BaseException"], ["builtins.KeyboardInterrupt"], ["builtins.StopIteration", "builtins.Exception"],
                    ["unittest.case.SkipTest", "builtins.Exception"], ["x.Skipped", "_pytest.outcomes.OutcomeException", "builtins.BaseException"],
                    ["x.Y", "builtins.SystemExit", "builtins.Exception"], [], ["subprocess.Popen", "builtins.object"]):
            side, error = self.error(*mro)
            self.assertIs(type(error), remote.CandidateError, mro)
            self.assertIsNotNone(side.spoiled, mro)

    def test_classes_between(self) -> None:
        side = remote.Remote(remote.Stream(None), {})
        base = ["m.B", "builtins.Exception", "builtins.BaseException"]
        side.ancestors = {"m.B": base}
        found = side.error_class(["m.A", "m.B", "builtins.ValueError", *base[1:]])
        self.assertTrue(issubclass(found, ValueError) and issubclass(found, side.error_class(base)))
        self.assertFalse(issubclass(side.error_class(base), ValueError))
        # Ancestors that cannot be are no trouble.
        side.ancestors = {"m.X": ["m.X", "m.Y", "builtins.Exception"], "m.Y": ["m.Y", "m.X", "builtins.Exception"]}
        for names in (["m.X", "m.Y", "builtins.Exception"], ["m.%d" % n for n in range(9000)], ["m.Z"] * 30 + ["builtins.Exception"]):
            self.assertTrue(issubclass(side.error_class(names), Exception))

    def test_attributes(self) -> None:
        side = remote.Remote(remote.Stream(None), {})
        pairs = [["code", {"v": 3}], ["args", {"v": []}], ["with_traceback", {"v": 1}], ["_x", {"v": 1}], ["a b", {"v": 1}], ["y", {}], 5, ["z"]]
        error = side.error_of({"m": ["m.E", "builtins.Exception"], "a": {"v": ["x"]}, "s": "x", "t": "", "d": pairs})
        self.assertEqual((error.code, error.args), (3, ("x",)))
        self.assertEqual({name for name in vars(error) if not name.startswith("_")}, {"code"})

    def test_classes_of_objects(self) -> None:
        side = remote.Remote(remote.Stream(None), {})
        side.names = {"A": ["c", ["B", 5, "Z"]], "B": ["c", ["C"]], "C": ["c", ["A"]], "D": ["c", ["D"]]}
        self.assertTrue(issubclass(side.class_of("A"), side.class_of("B")))
        self.assertTrue(issubclass(side.class_of("D"), remote.Handle))
        side.names = {"N%d" % n: ["c", ["N%d" % (n + 1)]] for n in range(5000)}
        self.assertTrue(issubclass(side.class_of("N0"), remote.Handle))

    def test_no_class_but_errors(self) -> None:
        for name in ("builtins.eval", "builtins.open", "subprocess.Popen", "os.system", "builtins.SystemExit", "nowhere.X", "json"):
            self.assertIsNone(remote.known_error(name), name)


class Plans(unittest.TestCase):
    def calls(self, body: str) -> List[Any]:
        text = "def check(candidate):\n" + body
        return [tuple(call) for call in plan.calls_of_check(ast.parse(text), text)]

    def test_of_asserts_in_line(self) -> None:
        body = "    assert candidate([1, -2.5], k={'a': (1,)}) == [1]\n    assert not candidate('x'), 'why'\n    assert candidate() is None\n"
        self.assertEqual(self.calls(body), [("candidate", [[1, -2.5]], {"k": {"a": (1,)}}), ("candidate", ["x"], {}), ("candidate", [], {})])

    def test_none_where_another_use_is_possible(self) -> None:
        line = "    assert candidate(1) == 2\n"
        for other in ("    for n in 1, 2:\n        assert candidate(n) == n\n", "    assert candidate(1 + 1) == 2\n", "    f = candidate\n",
                      "    assert candidate(2) == candidate(3)\n", "    assert eval('candidate(2)')\n", "    assert candidate(*[1]) == 2\n",
                      "    assert candidate(**{}) == 2\n", "    assert True or candidate(4)\n", "    assert candidate(5).x\n"):
            self.assertEqual((self.calls(line), self.calls(line + other)), ([("candidate", [1], {})], []), other)

    def test_of_cases(self) -> None:
        self.assertEqual(plan.call_of_case("assert f(1, {2}) == 3"), ("f", [1, {2}], {}))
        for text in ("assert f(f(1)) == 2", "assert len(x) == 2", "x = f(1)\nassert x", "assert f(1) ==", "assert f(1) == f(2)", "assert f.g(1)"):
            self.assertIsNone(plan.call_of_case(text), text)
        self.assertEqual(plan.only_imports("import re as r, os\nfrom math import pi"), (True, ["r", "os", "pi"]))
        self.assertEqual(plan.only_imports(None), (True, []))
        self.assertFalse(plan.only_imports("x = f(1)")[0])


class Ahead(unittest.TestCase):
    """Both sides, and between them what the service does."""

    def setUp(self) -> None:
        pipes = [os.pipe() for _ in range(4)]
        to_service, to_tests, to_program, from_program = pipes
        self.pipes, self.threads = pipes, []
        self.asked: List[Any] = []
        self.server = worker.Server(channel.Channel(to_program[0], from_program[1]), worker.Capture(), sys.stdout)
        self.server.is_loaded = True
        self.remote = remote.Remote(remote.Stream(channel.Channel(to_tests[0], to_service[1])), {})
        self.remote.stream.generation = 1
        answer = self.server.answer
        self.server.answer = lambda request: self.asked.append(request["i"]) or answer(request)
        tests, program = channel.Channel(to_service[0], to_tests[1]), channel.Channel(from_program[0], to_program[1])
        self.run_beside(self.server.serve)
        self.run_beside(lambda: channel.write_all(program.writer, tests.receive()[1:]))
        self.run_beside(lambda: tests.send(b"F\0\0\0\1" + program.exactly(1)))

    def tearDown(self) -> None:
        for _, writer in self.pipes:
            os.close(writer)
        for thread in self.threads:
            thread.join(10)
            self.assertFalse(thread.is_alive())
        for reader, _ in self.pipes:
            os.close(reader)

    def run_beside(self, work: Callable[[], Any]) -> None:
        def loop() -> None:
            try:
                while True:
                    work()
            except (channel.Closed, OSError):
                pass

        self.threads.append(threading.Thread(target=loop, daemon=True))
        self.threads[-1].start()

    def define(self, text: str) -> None:
        exec(text, self.server.module.__dict__)

    def begin(self, *numbers: int) -> None:
        self.remote.plan = [self.remote.call_of("f", [n], {}) for n in numbers][::-1]
        self.remote.stream.send(*self.remote.look_ahead())

    def call(self, n: int) -> Any:
        return self.remote.call("f", [n], {})

    def test_calls_are_answered_once(self) -> None:
        self.define("seen = []\ndef f(x):\n    seen.append(x)\n    return list(seen)")
        self.begin(1, 2, 3)
        self.assertEqual([self.call(n) for n in (1, 2, 3, 4)], [[1], [1, 2], [1, 2, 3], [1, 2, 3, 4]])

    def test_calls_that_turn_out_otherwise_are_made(self) -> None:
        self.define("def f(x):\n    return x * 2")
        self.begin(1, 2, 3)
        self.assertEqual([self.call(n) for n in (1, 5, 2, 3)], [2, 10, 4, 6])
        self.assertEqual((self.remote.ahead, self.remote.plan, self.remote.dropped), ([], [], set()))

    def test_an_iterator_stops_what_was_sent(self) -> None:
        self.define("order = []\ndef f(x):\n    order.append(x)\n    yield x\n    order.append(-x)\n    yield list(order)")
        self.server.level = 1
        self.begin(1, 2)
        self.assertEqual([list(self.call(n)) for n in (1, 2)], [[1, [1, -1]], [2, [1, -1, 2, -2]]])

    def test_errors_are_those_of_their_calls(self) -> None:
        self.define("def f(x):\n    return 1 // x")
        self.begin(1, 0, 1)
        self.assertEqual(self.call(1), 1)
        with self.assertRaises(ZeroDivisionError):
            self.call(0)
        self.assertEqual(self.call(1), 1)

    def test_many_go_in_pieces(self) -> None:
        self.define("def f(x):\n    return len(x)")
        self.remote.plan = [self.remote.call_of("f", ["a" * 9000], {}) for _ in range(20)]
        self.remote.stream.send(*self.remote.look_ahead())
        self.assertEqual(len(self.remote.ahead), 3)
        self.assertEqual([self.remote.call("f", ["a" * 9000], {}) for _ in range(21)], [9000] * 21)


if __name__ == "__main__":
    unittest.main(verbosity=1)
