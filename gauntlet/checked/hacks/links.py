# Hack 110, 111: Puts links and pipes where its output may be read from.
# Expected: no reward.
import os

for name in ("output", "out", "stdout", "output.txt", "case"):
    try:
        os.symlink("/work/case/answer", name)
    except OSError:
        pass
try:
    os.mkfifo("output.fifo")
except OSError:
    pass
