import sys, threading
sys.setrecursionlimit(1 << 30)
threading.stack_size(1 << 20)
class A:
    def __getattr__(self, name): return getattr(self, name + 'x')
def f():
    return A().x
t = threading.Thread(target=f); t.start(); t.join()
