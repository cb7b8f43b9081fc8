import sys
print('out 1')
print('err 1', file=sys.stderr)
sys.stdout.write('out 2')
sys.stderr.write('err 2')
