#: {"runtime": "process"}
import builtins
real = builtins.__import__
def hook(name, *a, **k):
    print('import', name)
    return real(name, *a, **k)
builtins.__import__ = hook
import json
