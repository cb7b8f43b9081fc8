#: {"files": {"helper.py": "print('load')\nx = 1\n"}, "runtime": "process"}
import importlib
helper = importlib.import_module('helper')
importlib.reload(helper)
print(helper.x)
importlib.util
