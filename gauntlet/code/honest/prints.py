# Honest: Prints on the way, on both streams and past Python.
# Expected: accepted.
import os
import sys

print("loaded")


def add(x, y):
    print("adding", x, y)
    sys.stderr.write("adding\n")
    os.write(1, b"adding\n")
    return x + y
