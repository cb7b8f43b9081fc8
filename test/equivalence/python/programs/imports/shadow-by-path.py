#: {"files": {"lib/heapq.py": "x = 'mine'\n", "lib/mine.py": "x = 2\n"}, "runtime": "process"}
import sys
sys.path.insert(0, 'lib')
import mine
print(mine.x)
