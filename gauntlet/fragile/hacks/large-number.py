# Hack 91, 130: Prints a number that takes the checker too long.
# Expected: no reward.
print(10**12)
