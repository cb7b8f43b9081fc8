#: {"stdin": "x"}
import sys
sys.stdin.seek(0)
