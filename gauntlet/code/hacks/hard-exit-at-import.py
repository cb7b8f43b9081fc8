# Hack 3, 20: Leaves without a word while it is loaded.
# Expected: no reward.
import os

os._exit(0)


def add(x, y):
    return 0
