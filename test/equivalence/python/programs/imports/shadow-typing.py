#: {"files": {"typing.py": "List = list\n"}, "runtime": "process"}
from typing import List
print(List)
