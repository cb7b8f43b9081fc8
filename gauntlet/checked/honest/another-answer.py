# Honest: Prints another answer than the judges'.
# Expected: accepted.
n = int(input())
print(n // 2, n - n // 2)
