# How: sleeps, using no CPU time.
# Expected: time_limit by wall.
import time

time.sleep(60)
