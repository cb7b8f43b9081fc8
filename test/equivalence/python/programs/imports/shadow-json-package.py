#: {"files": {"json/__init__.py": "x = 1\n"}, "runtime": "process"}
import json
print(json.x)
