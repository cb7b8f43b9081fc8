# Hack 92: Is no Python.
# Expected: no reward.
def add(x, y)
    return x + y
