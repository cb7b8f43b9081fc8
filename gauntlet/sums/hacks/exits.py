# Hack 1, 2: Leaves with 0 before it has printed anything.
# Expected: no reward.
import sys

sys.exit(0)
