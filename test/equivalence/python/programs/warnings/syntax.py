x = 1
if x is 1:
    print('is')
print('\d')
assert (x, 'tuple')
