# Hack 30: A number that no tolerance can tell from another.
# Expected: no reward.
def describe(values):
    return [[min(values), max(values)], f"{len(values)} numbers", float("nan"), min(values) > 0]
