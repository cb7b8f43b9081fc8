# Hack 90: Says both.
# Expected: no reward.
print(*("YES NO" for word in input().split()))
