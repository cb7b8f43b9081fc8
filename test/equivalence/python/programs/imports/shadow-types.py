#: {"files": {"types.py": "x = 1\n"}, "runtime": "process"}
import enum
