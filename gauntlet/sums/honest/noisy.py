# Honest: Writes much on standard error, and warns.
# Expected: accepted.
import sys
import warnings

warnings.warn("old")
sys.stderr.write("x" * 1_000_000)
for _ in range(int(input())):
    print(sum(map(int, input().split())))
