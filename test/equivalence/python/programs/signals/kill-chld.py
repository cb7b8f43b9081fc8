import os, signal
os.kill(os.getpid(), signal.SIGCHLD)
print('ignored')
