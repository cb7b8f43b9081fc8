import weakref
class A: pass
a = A()
weakref.finalize(a, print, 'finalize a')
b = A()
weakref.finalize(b, print, 'finalize b').atexit = False
print('end')
