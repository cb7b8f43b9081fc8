"""Tests and candidate in one process, for tests that cannot be split from what they test (mock, patch, plots).

Whatever is said here of a test is only a claim, since the candidate could have made it; the service believes none before
copies of the tests with other literals have failed as they must. So all runs are given the same in all but those
literals. Tests are compiled before the candidate is loaded, and their text is nowhere: no file, no line cache.
"""

from __future__ import annotations

import builtins
import ctypes
import importlib
import importlib.abc
import importlib.machinery
import json
import os
import sys
import types
import unittest
import unittest.mock
from typing import Any, Callable, Dict, List, Optional

from assay_channel import Channel, take_streams
from assay_assertions import FAILED, NOTE, code_of, pieces_of
from assay_testing import ACCEPTED, AsyncTests, PYTEST_FLAGS, RESULT_MAX, SHOWN_MAX, Printed, Result, test_paths

NOTES_MAX = 4096
# Of all messages and prints together: what is said has a bound.
TOLD_MAX = 1 << 19
PR_SET_DUMPABLE = 4


class Held(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports test files from their code: on disk they are empty."""

    def __init__(self, folder: str, codes: Dict[str, Any], give: Callable[[Dict[str, Any]], None]) -> None:
        self.paths = {module_of(path): os.path.join(folder, path) for path in codes}
        self.codes = {module_of(path): code for path, code in codes.items()}
        self.give = give

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name not in self.codes:
            return None
        is_package = self.paths[name].endswith("__init__.py")
        spec = importlib.machinery.ModuleSpec(name, self, origin=self.paths[name], is_package=is_package)
        spec.has_location = True
        return spec

    def create_module(self, spec: Any) -> None:
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        self.give(module.__dict__)
        exec(self.codes[module.__name__], module.__dict__)


def module_of(path: str) -> str:
    name = path[:-3].replace("/", ".")
    return name[:-len(".__init__")] if name.endswith(".__init__") else name


class Bench:
    """One submission's tests, and what is claimed of them."""

    def __init__(self, tests: Dict[str, Any]) -> None:
        self.tests = tests
        self.claims: List[Dict[str, Any]] = []
        self.told = 0
        # Assertions of the test under way that passed and failed, by number, and what the first failure says.
        self.notes: Dict[int, int] = {}
        self.failed: Dict[int, int] = {}
        self.result: Optional[Result] = None
        self.candidate: Dict[str, Any] = {}
        self.helpers: Dict[str, Any] = {}

    def compile(self, folder: str) -> Dict[str, Any]:
        """Codes of the pieces by name."""
        codes: Dict[str, Any] = {}
        first = 0
        for name, text in pieces_of(self.tests).items():
            filename = os.path.join(folder, name[len("files/"):]) if name.startswith("files/") else "<test %s>" % name
            codes[name], first = code_of(name, text, first, filename)
        return codes

    def load(self) -> None:
        """The candidate under all the names by which tests import it."""
        names = self.tests.get("modules") or ["solution"]
        module = types.ModuleType(names[0])
        for name in names:
            sys.modules[name] = module
        with open("solution.json", encoding="utf-8") as file:
            path = os.path.join(os.getcwd(), json.load(file)["path"])
        module.__file__ = path
        space = self.candidate = module.__dict__
        prompt = self.tests.get("prompt")
        if prompt:
            self.helpers = own_definitions(prompt, space)
        with open(path, "rb") as source:
            code = compile(source.read(), path, "exec", dont_inherit=True)
        exec(code, space)

    def give(self, space: Dict[str, Any]) -> None:
        """What test code finds among its globals: the program's names but those of built-ins, then the problem's own."""
        entry = self.tests.get("entry") or []
        entries = {each.split(".")[0].rstrip("()") for each in ([entry] if isinstance(entry, str) else entry)}
        for name, value in list(self.candidate.items()):
            if not name.startswith("__") and (not hasattr(builtins, name) or name in entries):
                space[name] = value
        space.update(self.helpers)
        self.give_note(space)

    def give_note(self, space: Dict[str, Any]) -> None:
        space[NOTE] = self.note
        space[FAILED] = self.fail

    def note(self, number: int) -> None:
        self.notes[number] = self.notes.get(number, 0) + 1

    def fail(self, number: int) -> None:
        """Of the assertion whose exception is under way."""
        self.failed[number] = self.failed.get(number, 0) + 1
        error = sys.exc_info()[1]
        if self.result is None and error is not None:
            self.result = failure_of(error)

    def begin(self) -> Printed:
        self.notes, self.failed, self.result = {}, {}, None
        printed = sys.stdout = Printed()
        return printed

    def claim(self, ident: str, result: Result, printed: str) -> None:
        """`result` is how the test ended; assertions that failed before come first."""
        verdict, message = self.result or result
        if self.told > TOLD_MAX:
            message, printed = message[:80], ""
        message, printed = message[:RESULT_MAX], printed[:SHOWN_MAX]
        self.told += len(message) + len(printed)
        passed, failed = (sorted(each.items())[:NOTES_MAX] for each in (self.notes, self.failed))
        self.claims.append({"id": ident, "verdict": verdict, "message": message, "passed": passed, "failed": failed,
                            "stdout": printed})

    def attempt(self, ident: str, work: Callable[[], Any]) -> None:
        printed = self.begin()
        try:
            work()
            result = ACCEPTED
        except BaseException as error:
            result = failure_of(error)
        self.claim(ident, result, printed.getvalue())


def own_definitions(prompt: str, space: Dict[str, Any]) -> Dict[str, Any]:
    """Executes definitions of the problem; what has a body is the tests' own, whatever the program makes of the name."""
    before = set(space)
    for text in prompt, prompt.rstrip() + "\n    pass\n", prompt.rstrip() + "\n        pass\n":
        try:
            exec(compile(text, "<prompt>", "exec", dont_inherit=True), space)
        except SyntaxError:
            continue
        break
    return {name: value for name, value in space.items() if name not in before and isinstance(value, types.FunctionType)
            and not is_stub(value)}


def no_body() -> None:
    """What a function without a body compiles to."""


def is_stub(value: types.FunctionType) -> bool:
    code = value.__code__
    return code.co_code[::2] == no_body.__code__.co_code[::2] and code.co_consts[code.co_code[3]] is None


def failure_of(error: BaseException) -> Result:
    try:
        text = str(error)
    except BaseException:
        text = ""
    name = type(error).__name__
    is_wrong = isinstance(error, AssertionError) or name == "Failed"
    return "wrong_answer" if is_wrong else "runtime_error", "%s: %s" % (name, text) if text else name


# The kinds of tests


def run_asserts(bench: Bench, codes: Dict[str, Any]) -> None:
    space: Dict[str, Any] = {"__name__": "assay_tests", "__builtins__": builtins}
    bench.give(space)
    setup = bench.tests.get("setup")
    if setup:
        exec(setup, space)
    for ident, code in zip(bench.tests["ids"], codes.values()):
        bench.attempt(ident, lambda code=code: exec(code, space))


def run_check(bench: Bench, codes: Dict[str, Any]) -> None:
    space: Dict[str, Any] = {"__name__": "assay_tests", "__builtins__": builtins}
    bench.give(space)

    def work() -> None:
        exec(codes["code"], space)
        found: Any = types.SimpleNamespace(**bench.candidate)
        for step in bench.tests["entry"].split("."):
            found = getattr(found, step[:-2])() if step.endswith("()") else getattr(found, step)
        if bench.tests["entry"].isidentifier():
            space[bench.tests["entry"]] = found
        space["check"](found)

    bench.attempt(bench.tests["ids"][0], work)


def write_files(folder: str, files: Dict[str, str]) -> None:
    """Data as it is, and the test files without a line in them."""
    for path, text in files.items():
        full = os.path.join(folder, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8", newline="") as file:
            file.write("" if path.endswith(".py") else text)


def run_unittest(bench: Bench, codes: Dict[str, Any]) -> None:
    loader, suite = unittest.TestLoader(), unittest.TestSuite()
    for path in test_paths(bench.tests["files"]):
        module = importlib.import_module(module_of(path))
        for value in list(module.__dict__.values()):
            if isinstance(value, type) and issubclass(value, unittest.TestCase) and value.__module__ == module.__name__:
                suite.addTest(loader.loadTestsFromTestCase(value))

    class Recorder(unittest.TestResult):
        def startTest(self, test: Any) -> None:
            super().startTest(test)
            self.failed: Optional[Result] = None
            self.done = False
            self.printed = bench.begin()

        def fail(self, result: Result) -> None:
            self.failed = self.failed or result

        def addSuccess(self, test: Any) -> None:
            self.done = True

        def addError(self, test: Any, error: Any) -> None:
            if hasattr(self, "done"):
                self.fail(failure_of(error[1]))

        addFailure = addError

        def addSubTest(self, test: Any, subtest: Any, error: Any) -> None:
            if error is not None:
                self.addError(test, error)

        def addSkip(self, test: Any, reason: str) -> None:
            self.fail(("wrong_answer", "skipped, which is not passed: %s" % reason))

        def addExpectedFailure(self, test: Any, error: Any) -> None:
            self.fail(("wrong_answer", "an expected failure is not passed"))

        def addUnexpectedSuccess(self, test: Any) -> None:
            self.fail(("wrong_answer", "an unexpected success"))

        def stopTest(self, test: Any) -> None:
            super().stopTest(test)
            missing: Result = ("wrong_answer", "the test has no result")
            result = self.failed or (ACCEPTED if self.done else missing)
            bench.claim(test.id(), result, self.printed.getvalue())

    suite.run(Recorder())


def run_pytest(bench: Bench, codes: Dict[str, Any]) -> None:
    sys.path.append(bench.tests["packages"])
    pytest = importlib.import_module("pytest")
    folder = os.getcwd()

    def imported(path: Any, *_: Any, **__: Any) -> Any:
        return importlib.import_module(module_of(os.path.relpath(str(path), folder)))

    for name in "_pytest.python", "_pytest.config":
        setattr(importlib.import_module(name), "import_path", imported)
    problems: List[str] = []

    class Recorder:
        def pytest_collectreport(self, report: Any) -> None:
            if report.failed:
                problems.append(str(report.longrepr))

        def pytest_internalerror(self, excrepr: Any) -> None:
            problems.append(str(excrepr))

        @pytest.hookimpl(hookwrapper=True, tryfirst=True)
        def pytest_runtest_protocol(self, item: Any, nextitem: Any) -> Any:
            self.phases: Dict[str, str] = {}
            self.failed: Optional[Result] = None
            printed = bench.begin()
            yield
            passed = self.phases == {"setup": "passed", "call": "passed", "teardown": "passed"}
            missing: Result = ("wrong_answer", "not passed: %s" % ", ".join("%s %s" % p for p in self.phases.items()))
            bench.claim(item.nodeid, self.failed or (ACCEPTED if passed else missing), printed.getvalue())

        @pytest.hookimpl(hookwrapper=True)
        def pytest_runtest_makereport(self, item: Any, call: Any) -> Any:
            report = (yield).get_result()
            outcome = "xfail" if hasattr(report, "wasxfail") else report.outcome
            self.phases[report.when] = outcome
            if call.excinfo is not None and outcome == "failed":
                self.failed = self.failed or failure_of(call.excinfo.value)

    flags = [*PYTEST_FLAGS, "--rootdir", folder, "--assert=plain", "--capture=no"]
    status = pytest.main([*flags, *test_paths(bench.tests["files"])], plugins=[Recorder(), AsyncTests()])
    if problems or not bench.claims:
        raise ImportError("pytest ends with %d: %s" % (status, problems[0] if problems else "no tests"))


KINDS: Dict[str, Callable[[Bench, Dict[str, Any]], None]] = {
    "asserts": run_asserts, "check": run_check, "unittest": run_unittest, "pytest": run_pytest,
}


def close_memory() -> None:
    """Keeps /proc/self/mem and its like from this process's own user. A program with a foreign-function call undoes it."""
    try:
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    except (OSError, AttributeError):
        # A libc without it: one obstacle less, and none that a verdict rests on.
        pass


def main() -> None:
    reader, writer = take_streams()
    channel = Channel(reader, writer)
    close_memory()
    os.register_at_fork(after_in_child=lambda: os.close(writer))
    sys.stdin = open(0, encoding="utf-8")
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 10_000))
    bench = Bench(json.loads(channel.receive()))
    os.close(reader)
    channel.buffer.clear()
    failed: Optional[Result] = None
    try:
        run(bench)
    except BaseException as error:
        failed = failure_of(error)
    channel.send(json.dumps({"failed": failed, "tests": bench.claims}).encode())
    os._exit(0)


def run(bench: Bench) -> None:
    tests = bench.tests
    folder = os.path.join(os.getcwd(), "tests")
    codes = bench.compile(folder)
    setup = tests.get("setup")
    if setup:
        tests["setup"] = compile(setup, "<test setup>", "exec", dont_inherit=True)
    # No text of a test stays but what the candidate is given as data.
    for name in "cases", "code":
        tests.pop(name, None)
    if "files" in tests:
        write_files(folder, tests["files"])
        tests["files"] = dict.fromkeys(tests["files"], "")
    if "" not in sys.path and os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    sys.stdout = Printed()
    bench.load()
    if "files" in tests:
        own = {name[len("files/"):]: code for name, code in codes.items()}
        sys.meta_path.insert(0, Held(folder, own, bench.give if tests["kind"] == "unittest" else bench.give_note))
        os.chdir(folder)
        sys.path.insert(0, folder)
    KINDS[tests["kind"]](bench, codes)
