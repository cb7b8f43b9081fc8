# How: closes both outputs after a few bytes, goes on working, then exits.
# Expected: exited 0 with exactly those bytes; the run ends with the program, not with its streams.
import os
import time

os.write(1, b"early\n")
os.close(1)
os.close(2)
time.sleep(0.2)
os._exit(0)
