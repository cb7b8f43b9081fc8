# Hack A1: Prints a right answer and fails.
# Expected: no reward.
print(1, int(input()) - 1)
raise SystemExit(1)
