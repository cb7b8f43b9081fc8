#: {"stdin": "abc\ndef\n"}
import os
print(os.read(0, 2), input(), input())
