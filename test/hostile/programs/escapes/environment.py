# How: prints its environment from all places where one is: os.environ, libc's, /proc, and those of its children.
# Expected: exited 0; nothing of the service's is in it.
import ctypes
import os
import subprocess

print(dict(os.environb))
print(subprocess.run(["/usr/bin/env"], capture_output=True).stdout)
for path in ("/proc/self/environ", "/proc/1/environ", "/proc/%d/environ" % os.getppid()):
    try:
        with open(path, "rb") as file:
            print(path, file.read())
    except OSError as error:
        print("no", path, error.errno)
environ = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), "environ")
i = 0
while environ[i]:
    print(environ[i])
    i += 1
