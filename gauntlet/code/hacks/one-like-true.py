# Hack A1: Returns text for a number.
# Expected: no reward.
def add(x, y):
    return str(x + y)
