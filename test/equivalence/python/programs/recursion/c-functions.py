class A:
    def __repr__(self): return repr(self)
try:
    repr(A())
except RecursionError as e:
    print(e)
