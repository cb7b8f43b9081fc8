# Honest: Prints all numbers on a line, with spaces around them and none after the last.
# Expected: accepted.
import sys

sums = [sum(map(int, input().split())) for _ in range(int(input()))]
sys.stdout.write("  " + "   ".join(map(str, sums)))
