"""What whoever runs tests needs, whether the candidate is in another jail or beside them."""

from __future__ import annotations

import importlib
import io
import os
import sys
from typing import Any, Dict, List, Optional, Tuple

SHOWN_MAX = 4096
RESULT_MAX = 2000
PRINTED_MAX = 1 << 20
Result = Tuple[str, str]
ACCEPTED: Result = ("accepted", "")

# With it, the parts that it imports by name when it starts.
PYTEST = ["pytest", *("_pytest." + name for name in (
    "config", "mark", "main", "runner", "fixtures", "helpconfig", "python", "terminal", "debugging", "unittest", "capture",
    "skipping", "legacypath", "tmpdir", "monkeypatch", "recwarn", "pastebin", "nose", "assertion", "assertion.rewrite",
    "junitxml", "doctest", "cacheprovider", "setuponly", "setupplan", "stepwise", "unraisableexception", "threadexception",
    "warnings", "logging", "reports", "python_path", "faulthandler"))]
# Where jails of tests have it, if they do (languages/shared/python.ts).
PYTEST_FOLDER = "/opt/assay/pytest"
# All that is loaded or shown the same way by both; what is asserted and how is theirs.
PYTEST_FLAGS = ["-p", "no:cacheprovider", "-p", "no:terminal", "-p", "no:logging", "-c", os.devnull, "--import-mode=importlib"]


def warm_up() -> None:
    """Done once in a runtime that forks: what a judgement would import."""
    if not os.path.isdir(PYTEST_FOLDER):
        return
    sys.path.append(PYTEST_FOLDER)
    for name in PYTEST:
        try:
            importlib.import_module(name)
        except ImportError:
            # Not in this version, or not in this one's dependencies.
            pass
    sys.path.remove(PYTEST_FOLDER)


class Printed(io.StringIO):
    """What tests and candidate print, up to a bound; more is forgotten."""

    def write(self, text: str) -> int:
        if self.tell() < PRINTED_MAX:
            super().write(text)
        return len(text)

    def close(self) -> None:
        """The next test prints, too."""


class AsyncTests:
    """A plugin of pytest that runs tests which are coroutines: a loop for each, as its own plugins do it."""

    def pytest_pyfunc_call(self, pyfuncitem: Any) -> Optional[bool]:
        import asyncio
        import inspect

        test = pyfuncitem.obj
        if not inspect.iscoroutinefunction(test):
            return None
        asyncio.run(test(**{name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}))
        return True


def test_paths(files: Dict[str, str]) -> List[str]:
    paths = [path for path in files if path.endswith(".py")]
    named = [p for p in paths if os.path.basename(p).startswith("test_") or p.endswith("_test.py")]
    return named or paths
