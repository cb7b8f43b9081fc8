# Hack 42, 119: Prints one line too few.
# Expected: no reward.
print("0123456789\n" * (int(input()) - 1), end="")
