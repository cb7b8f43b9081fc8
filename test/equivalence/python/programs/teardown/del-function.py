class A:
    def __init__(self, name): self.name = name
    def __del__(self): print('del', self.name)
a = A('a')
def f():
    return a
c = A('c')
print('end')
