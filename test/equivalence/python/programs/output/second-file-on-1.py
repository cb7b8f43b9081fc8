import sys
out = open(1, 'w')
print('by the first')
out.write('by the second')
