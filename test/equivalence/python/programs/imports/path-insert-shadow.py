#: {"files": {"lib/heapq.py": "x = 'mine'\n"}, "runtime": "process"}
import sys
sys.path.insert(0, 'lib')
import heapq
print(getattr(heapq, 'x', 'the real one'))
