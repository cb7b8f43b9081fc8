# Hack A1: Is nothing at all.
# Expected: no reward.
