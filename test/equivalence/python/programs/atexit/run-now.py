import atexit
atexit.register(print, 'a')
atexit._run_exitfuncs()
atexit._clear()
print('end')
