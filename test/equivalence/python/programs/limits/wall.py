#: {"limits": {"wall_ms": 300}}
import time
print('sleeping', flush=True)
time.sleep(10)
