class A:
    def __del__(self): print('never')
print('end')
