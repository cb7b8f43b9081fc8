# Honest: Sorts the list it was given, and returns it.
# Expected: accepted.
def order(values):
    values.sort()
    return values
