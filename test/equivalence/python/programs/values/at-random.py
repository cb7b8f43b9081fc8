#: {"differs": true}
import ctypes
libc = ctypes.CDLL(None)
libc.getauxval.restype = ctypes.c_ulong
address = libc.getauxval(25)
print(ctypes.string_at(address, 16))
