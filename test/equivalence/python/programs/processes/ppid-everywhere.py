import ctypes, os, posix
libc = ctypes.CDLL(None)
print(os.getppid(), posix.getppid(), libc.getppid(), os.getppid)
pid = os.fork()
if pid == 0:
    os._exit(os.getppid() == 2 or 77)
print(os.wait()[1], pid)
