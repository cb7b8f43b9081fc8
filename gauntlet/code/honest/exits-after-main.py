# Honest: Handles signals, registers an end of its own, and imports what it needs when called.
# Expected: accepted.
import atexit
import signal

signal.signal(signal.SIGTERM, lambda number, frame: None)
atexit.register(print, "end")


def add(x, y):
    from operator import add as plus

    return plus(x, y)
