#: {"runtime": "process"}
import collections
print(collections.abc.Sequence)
