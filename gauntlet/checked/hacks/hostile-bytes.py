# Hack 26, 120: Prints bytes that are no text, with NUL between its numbers.
# Expected: no reward.
import sys

n = int(input())
sys.stdout.buffer.write(b"1\x00%d\xff\xfe\x1a" % (n - 1))
