#: {"files": {"helper.py": "def f(n):\n    try:\n        return f(n + 1)\n    except RecursionError:\n        return n\nprint(f(0))\n"}}
import helper
print(helper.f(0))
