import weakref
class R(weakref.ref):
    pass
class A: pass
a = A()
r = R(a, lambda x: print('gone'))
