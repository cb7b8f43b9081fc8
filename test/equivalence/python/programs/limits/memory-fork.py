#: {"limits": {"memory_mb": 64}}
import os
x = bytearray(20 << 20)
pids = []
for _ in range(4):
    if os.fork() == 0:
        y = bytearray(x)
        os._exit(0)
    os.wait()
print('each within')
