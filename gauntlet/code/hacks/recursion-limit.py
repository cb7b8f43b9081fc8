# Hack 55: Leaves no room for frames that are not its own.
# Expected: no reward.
import sys


def add(x, y):
    sys.setrecursionlimit(20)
    return 0
