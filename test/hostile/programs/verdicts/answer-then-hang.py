# How: prints the right answer, then hangs.
# Expected: time_limit.
import time

print("42", flush=True)
time.sleep(60)
