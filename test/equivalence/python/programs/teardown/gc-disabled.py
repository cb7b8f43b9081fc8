import gc
gc.disable()
class A:
    def __del__(self): print('del')
a = A(); a.me = a
del a
print('end', gc.isenabled())
