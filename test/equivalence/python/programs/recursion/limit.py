import sys
print(sys.getrecursionlimit())
depth = 0
def f():
    global depth
    depth += 1
    f()
try:
    f()
except RecursionError as e:
    print(depth, e)
