import os
pid = os.fork()
if pid == 0:
    print('child', flush=True)
    os._exit(5)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
