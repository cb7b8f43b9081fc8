class A:
    def __init__(self, name): self.name = name
    def __del__(self): print('del', self.name)
a = A('a')
_b = A('_b')
c = A('c')
__d = A('__d')
e = [A('e0'), A('e1')]
f = {'k': A('f')}
print('end')
