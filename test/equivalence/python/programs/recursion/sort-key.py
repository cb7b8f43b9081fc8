import functools
@functools.lru_cache(None)
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(300))
try:
    fib(5000)
except RecursionError as e:
    print('too deep', e)
