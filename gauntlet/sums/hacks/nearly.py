# Hack 40: Is off by one where numbers are large.
# Expected: no reward.
for _ in range(int(input())):
    a, b = map(int, input().split())
    print(a + b - (abs(a + b) > 50000))
