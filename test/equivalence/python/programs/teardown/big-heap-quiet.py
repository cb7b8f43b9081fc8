x = [[i] for i in range(300000)]
y = {i: str(i) for i in range(100000)}
print('end')
