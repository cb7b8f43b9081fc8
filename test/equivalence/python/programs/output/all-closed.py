import os
os.closerange(0, 3)
print('nowhere')
