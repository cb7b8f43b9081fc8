# Hack 110, 111: Replaces its files, and what might be its output, by links, pipes and devices.
# Expected: no reward.
import os

for name in ("main.py", "output.txt", "stdout", "result.json"):
    for make in (lambda path: os.symlink("/etc/passwd", path), os.mkfifo, lambda path: os.mkdir(path)):
        try:
            if os.path.lexists(name):
                os.unlink(name)
            make(name)
        except OSError:
            pass
