class A:
    def __del__(self):
        print('__file__' in globals(), '__cached__' in globals(), sorted(k for k in globals() if k.startswith('__')))
a = A()
