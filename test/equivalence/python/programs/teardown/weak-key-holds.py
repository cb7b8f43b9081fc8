import weakref
class A: pass
class D:
    def __del__(self): print('del value')
a = A()
k = weakref.WeakKeyDictionary({a: D()})
print('end')
