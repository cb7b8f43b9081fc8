import os, sys
print('before')
os.close(1)
sys.stdout.flush()
