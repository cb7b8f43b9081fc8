import os
print('twice')
if os.fork() == 0:
    os._exit(0)
os.wait()
pid = os.fork()
if pid == 0:
    raise SystemExit(3)
print(os.waitpid(pid, 0)[1])
