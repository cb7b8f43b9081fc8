# Hack 27: Sends numbers where an answer is due.
# Expected: no reward.
import os
import struct


def add(x, y):
    body = b"1"
    for fd in range(3, 64):
        try:
            os.write(fd, struct.pack(">I", len(body)) + body)
        except OSError:
            pass
    os._exit(0)
