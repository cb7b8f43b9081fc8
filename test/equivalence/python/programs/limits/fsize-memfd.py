#: {"limits": {"disk_mb": 4}}
import os, signal
fd = os.memfd_create('x')
try:
    for _ in range(100):
        os.write(fd, b'x' * (1 << 20))
except OSError as e:
    print(e)
