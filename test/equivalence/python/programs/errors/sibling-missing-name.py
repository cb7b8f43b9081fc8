#: {"files": {"helper.py": "a = 1\n"}}
from helper import b
