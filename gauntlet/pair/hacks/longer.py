# Hack 90: Adds what might be right.
# Expected: no reward.
def describe(values):
    return [[min(values), max(values)], f"{len(values)} numbers", sum(values) / len(values), min(values) > 0, 0]
