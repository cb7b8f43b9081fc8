# How: prints the answer, then replaces its own source and plants modules that would be imported instead of the
# standard library's next time.
# Expected: accepted in every case: each case starts from the submitted files.
import os
import sys

print(sum(int(word) for word in sys.stdin.read().split()))
for name in (sys.argv[0], "main.py", "sitecustomize.py", "usercustomize.py", "os.py", "sys.py"):
    try:
        with open(name, "w") as file:
            file.write("print('forged')\nraise SystemExit(0)\n")
    except OSError:
        pass
os.makedirs("__pycache__", exist_ok=True)
