#: {"stdin": "abcdef"}
import sys
print(sys.stdin.buffer.peek(2)[:2], sys.stdin.buffer.read1(3), sys.stdin.buffer.raw.read(10))
