#: {"stdin": "1\n\n3"}
import sys
while True:
    line = sys.stdin.readline()
    print(repr(line))
    if not line:
        break
