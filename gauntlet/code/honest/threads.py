# Honest: Computes in a thread.
# Expected: accepted.
import threading


def add(x, y):
    found = []
    worker = threading.Thread(target=lambda: found.append(x + y))
    worker.start()
    worker.join()
    return found[0]
