# Hack 43, 45: Prints digits that are no ASCII, and bytes that are no UTF-8.
# Expected: no reward.
import sys

for n in range(int(input())):
    text = str(sum(map(int, input().split())))
    wide = text.translate({48 + i: 0xFF10 + i for i in range(10)}).encode()
    sys.stdout.buffer.write((wide if n % 2 else text.encode() + b"\xff") + b"\n")
