# Hack A1: Is right, but fails at its end.
# Expected: no reward.
for _ in range(int(input())):
    print(sum(map(int, input().split())))
raise SystemExit(1)
