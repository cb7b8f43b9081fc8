import collections, math, json, random
class A:
    def __init__(self, n): self.n = n
    def __del__(self): print('del', self.n)
math.kept = A('math')
json.kept = A('json')
random.kept = A('random')
collections.kept = A('collections')
print('end')
