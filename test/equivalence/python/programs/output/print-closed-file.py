f = open('x', 'w')
f.close()
print('x', file=f)
