import gc
class A: pass
gc.collect()
a = A(); a.me = a
del a
print(gc.collect(), gc.collect(), gc.collect(0))
