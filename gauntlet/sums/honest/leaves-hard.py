# Honest: Leaves without a word when everything is written.
# Expected: accepted.
import os
import sys

for _ in range(int(input())):
    print(sum(map(int, input().split())))
sys.stdout.flush()
os._exit(0)
