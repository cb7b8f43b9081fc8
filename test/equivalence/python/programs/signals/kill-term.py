import os, signal
print('lost')
os.kill(os.getpid(), signal.SIGTERM)
