# Hack 119: Says all numbers at once, and for ever.
# Expected: no reward.
import sys

while True:
    sys.stdout.write("".join(f"{n}\n" for n in range(1, 50000)))
