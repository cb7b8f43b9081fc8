# Hack 17: Kills everything that it may.
# Expected: no reward.
import os

for pid in (os.getppid(), 1, -1):
    try:
        os.kill(pid, 9)
    except OSError:
        pass
