import sys
sys.setrecursionlimit(30)
def f(n):
    try:
        return f(n + 1)
    except RecursionError:
        return n
print(f(0))
