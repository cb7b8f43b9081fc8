# Honest: Says which.
# Expected: accepted.
import sys

print(*("NO" if int(word) % 2 else "YES" for word in sys.stdin.read().split()))
