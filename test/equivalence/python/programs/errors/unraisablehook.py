import sys
sys.unraisablehook = lambda u: print('unraisable', type(u.exc_value), u.err_msg)
class A:
    def __del__(self):
        1 / 0
A()
a = A()
