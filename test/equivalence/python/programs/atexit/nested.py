import atexit
def outer():
    print('outer')
    atexit.register(print, 'inner')
atexit.register(outer)
