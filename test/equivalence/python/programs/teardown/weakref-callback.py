import weakref
class A: pass
a = A()
r = weakref.ref(a, lambda _: print('callback'))
del a
b = A()
s = weakref.ref(b, lambda _: print('callback at end'))
print('end')
