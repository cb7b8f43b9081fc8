# Hack 42: Leaves out what it does not know.
# Expected: no reward.
def describe(values):
    return [[min(values), max(values)], f"{len(values)} numbers"]
