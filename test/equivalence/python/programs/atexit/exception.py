import atexit
def bad():
    raise ValueError('in atexit')
atexit.register(print, 'still')
atexit.register(bad)
print('end')
