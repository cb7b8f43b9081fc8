import sys
class A:
    def __del__(self): print('del')
def f():
    a = A()
    raise ValueError('kept')
f()
