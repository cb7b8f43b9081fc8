# Hack 3, 20: Leaves with 0, without a word.
# Expected: no reward.
import os

os._exit(0)
