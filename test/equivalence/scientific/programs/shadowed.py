# A file of the program named like a package is found first.
import sys

open("numpy_helper.py", "w").write("value = 3\n")
import numpy_helper

print(numpy_helper.value, sys.path[0], sys.argv, sys.flags.hash_randomization)
print({"b", "a", "c"}, hash("x"))
