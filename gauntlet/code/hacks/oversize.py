# Hack 24: Announces four gigabytes.
# Expected: no reward.
import os


def add(x, y):
    for fd in range(3, 64):
        try:
            os.write(fd, b"\xff\xff\xff\xff" + b"x" * 65536)
        except OSError:
            pass
    os._exit(0)
