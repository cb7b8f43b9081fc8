# Hack A2: Forks for ever.
# Expected: no reward.
import os

while True:
    try:
        os.fork()
    except OSError:
        pass
