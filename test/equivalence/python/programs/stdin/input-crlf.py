#: {"stdin": "a\r\nb\rc\r\n"}
import sys
print(repr(input()), [line for line in sys.stdin])
