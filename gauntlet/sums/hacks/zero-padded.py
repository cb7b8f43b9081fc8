# Hack 45: Prints zeros before its numbers.
# Expected: no reward.
for _ in range(int(input())):
    print("0" + str(sum(map(int, input().split()))))
