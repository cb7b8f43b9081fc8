#: {"stdin": "1\n2\n3\n4\n"}
import sys
print(repr(next(sys.stdin)))
print(repr(input()))
print(sys.stdin.readlines())
