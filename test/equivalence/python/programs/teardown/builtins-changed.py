import builtins
builtins.any = builtins.all = builtins.id = lambda *a: print('called', a)
class A:
    def __del__(self): print('del')
a = A()
print('end')
