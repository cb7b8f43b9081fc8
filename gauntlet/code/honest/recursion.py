# Honest: Recurses deeply.
# Expected: accepted.
import sys

sys.setrecursionlimit(200_000)


def deep(n):
    return 0 if n == 0 else deep(n - 1)


def add(x, y):
    deep(50_000)
    return x + y
