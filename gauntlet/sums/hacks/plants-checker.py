# Hack 124, 125: Writes checkers and graders wherever one might be started, and over all that are there.
# Expected: no reward.
import os

for folder in (".", "checker", "graders", "/tmp", "..", "/work"):
    for name in ("checker.py", "checker", "check", "grader", "manager", "validate"):
        path = os.path.join(folder, name)
        try:
            os.makedirs(folder, exist_ok=True)
            with open(path, "w") as file:
                file.write("#!/bin/sh\necho 1\nexit 42\n")
            os.chmod(path, 0o755)
        except OSError:
            pass
print(1)
