import ctypes

import numpy as np

a = np.arange(4, dtype=np.int32)
print(a.ctypes.data_as(ctypes.POINTER(ctypes.c_int32))[2], np.ctypeslib.as_ctypes_type(np.int8))
