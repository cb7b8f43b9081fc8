#: {"stdin": "12 30\n7\n"}
import sys
inp = sys.stdin.buffer
print(inp.readline(), inp.read(1), inp.read(), inp.read())
