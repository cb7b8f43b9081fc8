# Hack 17: Stops everything that it may.
# Expected: no reward.
import os
import signal


def add(x, y):
    for pid in (os.getppid(), 1, -1, os.getpid()):
        try:
            os.kill(pid, signal.SIGSTOP)
        except OSError:
            pass
    return 0
