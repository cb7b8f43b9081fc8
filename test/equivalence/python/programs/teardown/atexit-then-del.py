import atexit
class A:
    def __del__(self): print('del')
a = A()
atexit.register(lambda: print('atexit', a is not None))
