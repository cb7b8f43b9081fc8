import os, signal
pid = os.fork()
if pid == 0:
    os.kill(os.getpid(), signal.SIGKILL)
print(os.waitpid(pid, 0)[1], os.getpid() != pid)
