# Hack 1, 2: Leaves at once, as an interactor does that accepts.
# Expected: no reward.
import sys

sys.exit(42)
