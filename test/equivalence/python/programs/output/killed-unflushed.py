import os
print('lost' * 10)
os.kill(os.getpid(), 9)
