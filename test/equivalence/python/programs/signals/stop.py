#: {"limits": {"wall_ms": 600}}
import os, signal
print('stopped', flush=True)
os.kill(os.getpid(), signal.SIGSTOP)
