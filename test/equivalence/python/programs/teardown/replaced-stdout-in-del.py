import sys, io
sys.stdout = io.StringIO()
class A:
    def __del__(self): print('to the restored one')
a = A()
