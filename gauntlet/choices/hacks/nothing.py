# Hack 22, 90: Says nothing.
# Expected: no reward.
