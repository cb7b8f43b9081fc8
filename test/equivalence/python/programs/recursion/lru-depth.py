import functools
deepest = 0
@functools.lru_cache(None)
def f(n):
    global deepest
    deepest = n
    return f(n + 1)
try:
    f(0)
except RecursionError:
    print(deepest)
