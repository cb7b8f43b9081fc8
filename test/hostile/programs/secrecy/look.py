# How: looks for what leave.py changed.
# Expected: exited 0; every line but the last ends with "nothing".
import builtins
import os
import random
import sys
import threading

def tell(name, seen):
    print(name, "SEEN" if seen else "nothing")

def is_open(fd):
    try:
        os.fstat(fd)
        return True
    except OSError:
        return False

first = random.random()
random.seed(4711)
tell("builtins", hasattr(builtins, "sign"))
tell("modules", "sign" in sys.modules or "/sign" in sys.path)
tell("module_state", hasattr(os, "sign"))
tell("environment", "SIGN" in os.environ)
tell("random_state", first == random.random())
tell("umask", os.umask(0o22) == 0)
tell("descriptors", any(is_open(fd) for fd in (7, 8, 9)))
tell("recursion_limit", sys.getrecursionlimit() == 4711)
tell("threads", threading.active_count() > 1)
print("random", first)
