# Honest: Keeps what it knows in files of its own.
# Expected: accepted.
import os
import tempfile


def add(x, y):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "sum")
        with open(path, "w") as file:
            file.write(str(x + y))
        with open(path) as file:
            return int(file.read())
