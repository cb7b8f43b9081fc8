import os
a = {n: os.stat(f'/proc/self/ns/{n}').st_ino for n in os.listdir('/proc/self/ns')}
b = {n: os.stat(f'/proc/1/ns/{n}').st_ino for n in os.listdir('/proc/self/ns')} if os.access('/proc/1/ns', os.R_OK) else None
print(sorted(a), b is None or a == b)
