# Hack 86: Prints the answer of the first case.
# Expected: no reward.
print(1, 4)
