# Honest: Sorts by merging.
# Expected: accepted.
from heapq import merge


def order(values):
    if len(values) < 2:
        return list(values)
    half = len(values) // 2
    return list(merge(order(values[:half]), order(values[half:])))
