import sys
sys.stdout.buffer.write(b'bytes \xff\x00\n')
print('text')
sys.stdout.buffer.write(b'after')
