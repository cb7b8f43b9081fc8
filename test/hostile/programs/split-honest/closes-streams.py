# Closes the standard streams.
import sys


def add(x, y):
    sys.stdout.close()
    sys.stdin.close()
    return x + y
