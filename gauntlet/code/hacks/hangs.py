# Hack 91: Never answers.
# Expected: no reward.
import time


def add(x, y):
    time.sleep(1000)
