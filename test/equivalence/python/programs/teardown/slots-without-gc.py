class A:
    __slots__ = ()
    def __del__(self): print('del')
class B(int):
    __slots__ = ()
    def __del__(self): print('del', int(self))
a, b = A(), B(5)
print('end')
