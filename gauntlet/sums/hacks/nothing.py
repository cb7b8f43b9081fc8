# Hack 90: Prints a line without anything.
# Expected: no reward.
print()
