# Hack 45: Says it in small letters.
# Expected: no reward.
print(*("no" if int(word) % 2 else "yes" for word in input().split()))
