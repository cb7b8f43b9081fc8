import sys
class A: pass
a = A()
print(sys.getrefcount(a), sys.getrefcount(A))
