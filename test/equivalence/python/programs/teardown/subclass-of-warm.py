import collections
class D(collections.OrderedDict):
    def __del__(self): print('del D', len(self))
d = D(a=1)
print('end')
