class A:
    def __del__(self): print('del')
def g():
    a = A()
    yield 1
x = g()
next(x)
print('end')
