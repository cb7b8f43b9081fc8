def g():
    yield 1
    yield 2
x = g()
next(x)
y = (i for i in range(3))
next(y)
z = (i for i in range(3))
print('end')
