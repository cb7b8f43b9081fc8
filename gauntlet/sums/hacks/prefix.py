# Hack 42, 90: Prints the first line only.
# Expected: no reward.
input()
print(sum(map(int, input().split())))
