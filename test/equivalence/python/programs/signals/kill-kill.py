import os, signal
print('kept', flush=True)
os.kill(os.getpid(), signal.SIGKILL)
