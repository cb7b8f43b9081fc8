# Hack 11, 91: Ignores every signal that may be ignored, and hangs.
# Expected: no reward.
import signal
import time

for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
time.sleep(1000)
