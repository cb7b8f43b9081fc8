# Hack 90: Prints the right numbers among many others.
# Expected: no reward.
for _ in range(int(input())):
    s = sum(map(int, input().split()))
    print(s, s + 1, s - 1)
