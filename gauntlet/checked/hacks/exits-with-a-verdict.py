# Hack 1, 2: Leaves as a checker does that accepts.
# Expected: no reward.
import sys

sys.exit(42)
