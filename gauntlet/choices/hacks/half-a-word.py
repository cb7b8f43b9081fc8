# Hack 42: Says the beginning of a word.
# Expected: no reward.
print(*("N" if int(word) % 2 else "Y" for word in input().split()))
