#: {"stdin_base64": "YWL/Y2QK"}
import sys
sys.stdin.reconfigure(encoding='latin-1')
print(ascii(input()))
