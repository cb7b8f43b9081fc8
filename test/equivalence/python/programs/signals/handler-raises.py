import os, signal
def handler(number, frame):
    raise ValueError('in handler')
signal.signal(signal.SIGUSR1, handler)
os.kill(os.getpid(), signal.SIGUSR1)
