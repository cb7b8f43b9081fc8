# Hack A1: Is a set, which has no order.
# Expected: no reward.
def order(values):
    return set(values)
