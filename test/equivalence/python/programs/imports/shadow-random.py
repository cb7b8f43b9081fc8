#: {"files": {"random.py": "def randint(a, b): return 4\nprint('my random')\n"}, "runtime": "process"}
import random
print(random.randint(1, 6))
