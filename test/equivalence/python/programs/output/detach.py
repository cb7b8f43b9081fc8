import sys
print('a')
raw = sys.stdout.detach()
raw.write(b'raw')
