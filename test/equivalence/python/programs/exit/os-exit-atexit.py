import atexit, os
atexit.register(print, 'never')
os._exit(1)
