import sys
def hook(*a):
    raise KeyError('in hook')
sys.excepthook = hook
1 / 0
