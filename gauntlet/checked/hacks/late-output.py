# Hack 72: Lets a process that it has left behind print the right answer.
# Expected: no reward.
import os
import time

n = int(input())
if os.fork() == 0:
    os.setsid()
    time.sleep(0.3)
    print(1, n - 1, flush=True)
os._exit(0)
