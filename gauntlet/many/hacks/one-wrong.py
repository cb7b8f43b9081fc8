# Hack A1: Prints one wrong digit among ten million.
# Expected: no reward.
n = int(input())
print("0123456789\n" * (n // 2), "0123456780\n", "0123456789\n" * (n - n // 2 - 1), sep="", end="")
