# Hack A1: Returns nothing.
# Expected: no reward.
def add(x, y):
    return None
