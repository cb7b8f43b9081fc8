# Forks until it is refused, and goes on; so do its children. Expected: runtime_error (limit processes).
import os

while True:
    try:
        os.fork()
    except OSError:
        pass
