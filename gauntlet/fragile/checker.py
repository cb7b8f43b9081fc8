"""Counts up to what the program printed, which has to be a number: nothing else, and no large one, does it bear."""

import sys

printed, answer = (int(open(path).read()) for path in (sys.argv[3], sys.argv[2]))
counted = 0
for _ in range(printed):
    counted += 1
print(1 if counted == answer else 0)
