import ctypes, threading
def work():
    print([l for l in open('/proc/self/maps')].__len__() > 0)
    libc = ctypes.CDLL(None)
    attr = ctypes.create_string_buffer(64)
    size = ctypes.c_size_t()
    libc.pthread_self.restype = ctypes.c_ulong
    libc.pthread_getattr_np(ctypes.c_ulong(libc.pthread_self()), attr)
    libc.pthread_attr_getstacksize(attr, ctypes.byref(size))
    print(size.value)
t = threading.Thread(target=work); t.start(); t.join()
