import os
for _ in range(3):
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    print(pid, os.wait()[0] == pid)
