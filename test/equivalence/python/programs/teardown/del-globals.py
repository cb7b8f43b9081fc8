import sys, os
x = 5
class A:
    def __del__(self):
        print(x, sys is None, os is None, __name__, sys.is_finalizing() if sys else None)
a = A()
