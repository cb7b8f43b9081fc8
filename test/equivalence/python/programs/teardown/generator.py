def g():
    try:
        yield 1
        yield 2
    finally:
        print('finally')
x = g()
next(x)
print('end')
