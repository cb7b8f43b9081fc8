import sys
print('before')
sys.stdout.close()
