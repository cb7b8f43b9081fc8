import sys
a = ''.join(['col', 'lections'])
print(a is 'collections', sys.intern(a) is 'collections')
