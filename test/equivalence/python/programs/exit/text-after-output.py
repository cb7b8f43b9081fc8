import sys
print('out')
sys.exit('err')
