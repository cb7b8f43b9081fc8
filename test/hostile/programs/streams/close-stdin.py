# How: closes its input after the first byte and goes on.
# Expected: exited 0; bytes that nobody reads are dropped.
import os

os.read(0, 1)
os.close(0)
print("done")
