# Hack 39: Says the right words in an order of its own.
# Expected: no reward.
print(*sorted("NO" if int(word) % 2 else "YES" for word in input().split()))
