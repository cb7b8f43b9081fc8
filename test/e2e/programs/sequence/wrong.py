# Always the first sequence.
import sys

lines = sys.stdin.read().split("\n")
for t in range(int(lines[0])):
    print(lines[2 + 4 * t])
