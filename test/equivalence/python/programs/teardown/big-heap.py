class A:
    def __del__(self): print('del')
x = [[i] for i in range(300000)]
a = A()
print('end')
