# Honest: Decorated, with defaults and annotations, and under two names.
# Expected: accepted.
from __future__ import annotations

import functools
from typing import Any


def traced(function):
    @functools.wraps(function)
    def inner(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return inner


@traced
def plus(x: int, y: int = 0, *, scale: int = 1) -> int:
    return (x + y) * scale


add = plus
