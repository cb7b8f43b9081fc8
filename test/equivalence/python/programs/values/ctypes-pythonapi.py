import ctypes
print(ctypes.pythonapi.Py_IsInitialized(), ctypes.py_object(5).value, ctypes.pythonapi.Py_GetVersion is not None)
