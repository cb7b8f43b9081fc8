# Hack 3, 22: Leaves without a word where nothing is expected.
# Expected: no reward.
import os


def find(values, value):
    os._exit(0)
