#: {"limits": {"memory_mb": 1024}}
import sys
sys.setrecursionlimit(10 ** 9)
class A:
    def __getattr__(self, name): return getattr(self, name)
A().x
