#: {"files": {"sys.py": "x = 1\n", "math.py": "x = 1\n"}, "runtime": "process"}
import sys, math
print(sys.__name__, getattr(math, 'x', 'real'))
