#: {"files": {"keyword.py": "kwlist = []\n"}, "runtime": "process"}
from collections import namedtuple
print(namedtuple('A', 'x')(1))
