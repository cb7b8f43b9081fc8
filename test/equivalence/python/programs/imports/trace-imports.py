#: {"runtime": "process"}
import sys
n = 0
def trace(frame, event, arg):
    global n
    n += 1
sys.setprofile(trace)
import heapq, json
sys.setprofile(None)
print(n)
