#: {"limits": {"cpu_ms": 300, "wall_ms": 20000}}
import os
if os.fork() == 0:
    while True: pass
os.wait()
