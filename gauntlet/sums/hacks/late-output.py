# Hack 71: Lets a process that it has left behind print the answer, after a while.
# Expected: no reward.
import os
import time

lines = [input() for _ in range(int(input()))]
if os.fork() == 0:
    os.setsid()
    time.sleep(0.5)
    print(*(sum(map(int, line.split())) for line in lines), sep="\n", flush=True)
os._exit(0)
