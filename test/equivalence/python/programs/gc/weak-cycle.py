import gc, weakref
class A: pass
a = A(); a.b = A(); a.b.a = a
r = weakref.ref(a)
del a
print(r() is None)
gc.collect()
print(r() is None)
