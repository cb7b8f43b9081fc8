import atexit, os, signal
atexit.register(lambda: os.kill(os.getpid(), signal.SIGINT))
print('x')
