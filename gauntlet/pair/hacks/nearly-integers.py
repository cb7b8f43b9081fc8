# Hack 40: Is off by one where numbers are large and whole.
# Expected: no reward.
def describe(values):
    return [[min(values), max(values) - (max(values) > 1000)], f"{len(values)} numbers", sum(values) / len(values), min(values) > 0]
