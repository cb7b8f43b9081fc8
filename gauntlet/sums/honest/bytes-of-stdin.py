# Honest: Reads and writes bytes.
# Expected: accepted.
import sys

numbers = list(map(int, sys.stdin.buffer.read().split()))[1:]
sys.stdout.buffer.write(b"\n".join(b"%d" % (a + b) for a, b in zip(numbers[::2], numbers[1::2])) + b"\n")
