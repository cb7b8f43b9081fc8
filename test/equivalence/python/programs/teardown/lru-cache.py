import functools
class A:
    def __del__(self): print('del cached')
@functools.lru_cache
def f(): return A()
f()
print('end')
