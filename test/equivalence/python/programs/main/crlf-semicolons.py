a = 1; b = 2; print(a, b)
if a: print('x'); print('y')
