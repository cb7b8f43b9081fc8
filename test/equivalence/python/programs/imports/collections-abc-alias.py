#: {"runtime": "process"}
import collections as c
print(c.abc.Sequence)
