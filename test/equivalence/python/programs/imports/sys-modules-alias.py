#: {"runtime": "process"}
from sys import modules
print(sorted(modules))
