#: {"stdin": "1\n2\n\n3\n"}
import sys
total = 0
while line := sys.stdin.readline().strip():
    total += int(line)
print(total, sys.stdin.readline())
