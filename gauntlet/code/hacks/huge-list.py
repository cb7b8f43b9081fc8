# Hack 24, 130: More than anyone wants to compare.
# Expected: no reward.
def add(x, y):
    return [0] * 30_000_000
