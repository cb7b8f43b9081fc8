# Hack 90, 119: Prints a right answer and then much more.
# Expected: no reward.
n = int(input())
print(1, n - 1)
print("1 " * 100_000)
