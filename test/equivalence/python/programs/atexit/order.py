import atexit
atexit.register(print, 'first')
atexit.register(print, 'second', end='.\n')
@atexit.register
def last():
    print('last registered')
print('end')
