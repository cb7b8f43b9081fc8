#: {"runtime": "process"}
import sys
class A:
    def __del__(self):
        print(sys.path, sys.argv, sys.meta_path, sys.stdin, sys.flags)
a = A()
