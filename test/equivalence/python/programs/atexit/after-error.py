import atexit
atexit.register(print, 'cleanup')
1 / 0
