# Hack 19, 22: Prints nothing.
# Expected: no reward.
