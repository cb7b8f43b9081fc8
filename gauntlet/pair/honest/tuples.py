# Honest: Returns tuples for lists.
# Expected: accepted.
def describe(values):
    return (min(values), max(values)), f"{len(values)} numbers", sum(values) / len(values), min(values) > 0
