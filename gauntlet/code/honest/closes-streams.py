# Honest: Closes the standard streams.
# Expected: accepted.
import sys


def add(x, y):
    sys.stdout.close()
    sys.stdin.close()
    return x + y
