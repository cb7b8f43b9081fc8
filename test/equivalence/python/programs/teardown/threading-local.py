import threading
class A:
    def __del__(self): print('del local')
local = threading.local()
local.a = A()
print('end')
