import sys
print(sys.getsizeof([]), sys.getsizeof({}), sys.getsizeof('abc'), sys.getsizeof(10 ** 100), sys.getsizeof(sys.stdin), sys.getsizeof(object()))
class A: pass
print(sys.getsizeof(A), sys.getsizeof(A()), sys.getsizeof(A().__dict__))
