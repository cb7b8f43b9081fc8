# Hack 39: Prints the right digits without a space between numbers.
# Expected: no reward.
print("".join(str(sum(map(int, input().split()))) for _ in range(int(input()))))
