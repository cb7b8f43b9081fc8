import os, signal
os.kill(os.getpid(), signal.SIGUSR1)
