# Hack A1: Prints the right numbers where nobody asked for them.
# Expected: no reward.
import sys

for _ in range(int(input())):
    print(sum(map(int, input().split())), file=sys.stderr)
