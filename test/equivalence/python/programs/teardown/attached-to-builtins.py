import builtins, sys
class A:
    def __init__(self, n): self.n = n
    def __del__(self): print('del', self.n)
builtins.kept = A('builtins')
sys.kept = A('sys')
print('end')
