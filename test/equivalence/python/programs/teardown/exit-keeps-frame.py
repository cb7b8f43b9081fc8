import sys
class A:
    def __del__(self): print('del')
def f():
    a = A()
    sys.exit(2)
f()
