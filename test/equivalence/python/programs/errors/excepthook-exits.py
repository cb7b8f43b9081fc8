import sys
sys.excepthook = lambda *a: sys.exit(9)
1 / 0
