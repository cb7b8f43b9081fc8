import sys
print('\ud800 é', file=sys.stderr)
