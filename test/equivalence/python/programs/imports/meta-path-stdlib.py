#: {"runtime": "process"}
import sys
class F:
    def find_spec(self, name, path=None, target=None):
        print('find', name)
sys.meta_path.insert(0, F())
import json, heapq
