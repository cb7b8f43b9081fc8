import sys
sys.__stdout__.close()
sys.stdout = sys.stderr
print('to stderr')
