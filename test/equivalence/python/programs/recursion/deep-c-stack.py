import sys
sys.setrecursionlimit(10 ** 6)
class A:
    def __init__(self, n): self.n = n
    def __eq__(self, other): return self.n == 0 or A(self.n - 1) == other
print(A(50000) == 1)
