#: {"files": {"token.py": "x = 1\n"}, "runtime": "process"}
import dataclasses
