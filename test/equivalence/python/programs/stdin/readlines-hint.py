#: {"stdin": "aaaa\nbbbb\ncccc\n"}
import sys
print(sys.stdin.readlines(6))
print(sys.stdin.readlines())
