# Hack 2: Leaves with 0 while it is loaded.
# Expected: no reward.
import sys


def add(x, y):
    return 0


sys.exit(0)
