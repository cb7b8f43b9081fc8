import ctypes
libc = ctypes.CDLL(None)
print(libc.abs(-5), libc.strlen(b'four'), ctypes.sizeof(ctypes.c_long), ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 7)())
