# Hack 1, 22: Leaves with 0 where nothing is expected.
# Expected: no reward.
import sys


def find(values, value):
    sys.exit(0)
