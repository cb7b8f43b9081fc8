import threading, ctypes
libc = ctypes.CDLL(None)
libc.pthread_self.restype = ctypes.c_ulong
print(libc.pthread_self() == threading.get_ident(), libc.gettid() == threading.get_native_id() == libc.getpid())
