class C:
    def __enter__(self): print('in')
    def __exit__(self, *a): print('out', a[0])
def g():
    with C():
        yield 1
x = g()
next(x)
print('end')
