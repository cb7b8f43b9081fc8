# Hack A1: Has no such function.
# Expected: no reward.
def plus(x, y):
    return x + y
