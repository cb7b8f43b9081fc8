import sys
out = sys.stdout
class A:
    def __del__(self): out.write('by alias\n'); sys.stdout.write('by sys\n')
a = A()
