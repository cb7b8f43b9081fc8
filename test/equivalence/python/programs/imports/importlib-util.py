#: {"runtime": "process"}
import importlib.util
print(importlib.util.find_spec('json').name, importlib.util.find_spec('nope'))
