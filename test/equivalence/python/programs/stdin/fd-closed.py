#: {"stdin": "x\n"}
import os
os.close(0)
input()
