# Hack 17: Closes its streams and waits.
# Expected: no reward.
import os
import time

os.close(0)
os.close(1)
time.sleep(1000)
