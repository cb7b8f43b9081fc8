class It:
    def __iter__(self): return self
    def __next__(self): return 1
    def close(self): print('closed')
def g():
    yield from It()
x = g()
next(x)
print('end')
