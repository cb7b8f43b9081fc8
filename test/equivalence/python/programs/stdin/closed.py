#: {"stdin": "x\n"}
import sys
sys.stdin.close()
input()
