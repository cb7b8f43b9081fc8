# Honest: Computes in a process.
# Expected: accepted.
import os


def add(x, y):
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.write(writer, str(x + y).encode())
        os._exit(0)
    os.wait()
    return int(os.read(reader, 100))
