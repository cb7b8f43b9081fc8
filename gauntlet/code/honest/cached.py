# Honest: Remembers what it has computed.
# Expected: accepted.
import functools


@functools.lru_cache(maxsize=None)
def add(x, y):
    return x + y
