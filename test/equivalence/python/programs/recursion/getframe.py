import sys
def depth():
    n, f = 0, sys._getframe()
    while f:
        n, f = n + 1, f.f_back
    return n
print(depth(), sys._getframe().f_back, sys._getframe(0).f_code.co_filename, sys._getframe().f_lineno)
try:
    sys._getframe(1)
except ValueError as e:
    print(e)
