#: {"stdin": "5 4 3\n2 1\n"}
import sys
data = sys.stdin.read().split()
print(sum(map(int, data)), len(data), repr(sys.stdin.read()))
