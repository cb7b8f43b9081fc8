# Hack 27, A2: Many threads that write answers of their own.
# Expected: no reward.
import os
import threading


def write():
    while True:
        for fd in range(3, 16):
            try:
                os.write(fd, b"\0\0\0\x0b" + b'{"i":1,"ok"')
            except OSError:
                pass


def add(x, y):
    for _ in range(8):
        threading.Thread(target=write, daemon=True).start()
    return 0
