#: {"files": {"heapq.py": "x = 1\n"}, "runtime": "process"}
import heapq
print(heapq.x)
