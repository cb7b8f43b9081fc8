#: {"stdin_base64": "YWL/Y2QK"}
import sys
print(sys.stdin.buffer.read())
