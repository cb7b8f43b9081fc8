"""What goes wrong between a client and the service. None of it is ever a reward."""

from __future__ import annotations

from typing import Any, Mapping, Optional


class AssayError(Exception):
    """The base of all errors of this package."""


class AssayUnavailable(AssayError):
    """No answer: not reached, cut off, or too busy for longer than the client was told to wait."""


class AssayRefused(AssayError):
    """The request itself is wrong. `problem` is the service's answer: `code`, `detail`, and `errors` with paths."""

    def __init__(self, status: int, problem: Mapping[str, Any]) -> None:
        self.status = status
        self.problem = dict(problem)
        self.code: Optional[str] = problem.get("code")
        super().__init__(f"{status} {self.code}: {problem.get('detail', 'no detail')}")


class AssayFault(AssayError):
    """No reward where a trainer takes nothing but numbers: a fault of the service, or a row that is no problem."""
