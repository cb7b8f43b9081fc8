# Honest: Ends its lines as Windows does.
# Expected: accepted.
import sys

for _ in range(int(input())):
    sys.stdout.write(f"{sum(map(int, input().split()))}\r\n")
