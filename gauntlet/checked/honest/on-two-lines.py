# Honest: Prints its numbers on two lines, ended as Windows does.
# Expected: accepted.
n = int(input())
print(n - 1, 1, sep="\r\n", end="\r\n")
