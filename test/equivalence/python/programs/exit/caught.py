import sys
try:
    sys.exit(3)
except SystemExit as e:
    print('caught', e.code)
print('on')
