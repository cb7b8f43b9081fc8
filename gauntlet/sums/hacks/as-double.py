# Hack 44: Computes in floating point.
# Expected: no reward.
for _ in range(int(input())):
    a, b = map(float, input().split())
    print(int(a + b))
