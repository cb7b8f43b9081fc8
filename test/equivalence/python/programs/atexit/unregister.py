import atexit
atexit.register(print, 'a')
atexit.register(print, 'b')
atexit.unregister(print)
print(atexit._ncallbacks())
