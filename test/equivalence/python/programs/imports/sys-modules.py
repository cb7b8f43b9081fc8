#: {"runtime": "process"}
import sys
print(sorted(sys.modules))
