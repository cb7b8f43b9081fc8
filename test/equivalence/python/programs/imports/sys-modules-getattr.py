#: {"runtime": "process"}
import sys as s
print(sorted(s.modules))
