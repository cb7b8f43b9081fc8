#: {"env": {"NAME": "x"}}
import ctypes
libc = ctypes.CDLL(None)
libc.getenv.restype = ctypes.c_char_p
print(libc.getenv(b'NAME'), libc.getenv(b'LD_PRELOAD'), libc.getenv(b'HOME'))
