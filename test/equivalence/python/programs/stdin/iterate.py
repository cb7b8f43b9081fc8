#: {"stdin": "1\n2\n3"}
import sys
for line in sys.stdin:
    print(repr(line))
