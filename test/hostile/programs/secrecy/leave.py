# How: changes whatever a warm interpreter might keep: modules, builtins, environment, random numbers, descriptors, threads.
# Expected: exited 0, "left".
import builtins
import os
import random
import sys
import threading
import time
import types

builtins.sign = 1
sys.modules["sign"] = types.ModuleType("sign")
sys.path.append("/sign")
os.sign = 1
os.environ["SIGN"] = "1"
os.putenv("SIGN", "1")
random.seed(4711)
os.umask(0)
for fd in (7, 8, 9):
    os.dup2(1, fd)
sys.setrecursionlimit(4711)
threading.Thread(target=lambda: time.sleep(60), daemon=True).start()
print("left")
sys.stdout.flush()
os._exit(0)
