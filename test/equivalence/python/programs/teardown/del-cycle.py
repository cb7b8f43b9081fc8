class A:
    def __del__(self): print('del in cycle')
a = A()
a.me = a
b = A()
b.x = globals()
print('end')
