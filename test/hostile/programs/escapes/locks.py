# How: with "hold", locks files that all jails have in common by every kind of lock, and keeps them; with "look", says who
# else holds one. The two are run at the same moment.
# Expected: exited 0; the one that looks says "no" to every kind.
import fcntl
import os
import struct
import sys
import time

FILES = ["/usr/bin/env", "/usr/bin", "/usr/lib/x86_64-linux-gnu/libc.so.6"]
WHOLE = struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, 0, 0, 0)
QUERY = struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0)
F_OFD_GETLK, F_OFD_SETLK = 36, 37


def is_held(command, fd):
    return struct.unpack("hhqqi4x", fcntl.fcntl(fd, command, QUERY))[0] != fcntl.F_UNLCK


descriptors = [os.open(path, os.O_RDONLY) for path in FILES if os.path.exists(path)]
if sys.argv[1] == "hold":
    for fd in descriptors:
        for lock in (lambda: fcntl.flock(fd, fcntl.LOCK_EX), lambda: fcntl.fcntl(fd, fcntl.F_SETLK, WHOLE)):
            try:
                lock()
            except OSError:
                pass
    print("held", flush=True)
    time.sleep(float(sys.argv[2]))
else:
    end = time.monotonic() + float(sys.argv[2])
    seen = set()
    while time.monotonic() < end:
        for fd in descriptors:
            try:
                fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
                fcntl.flock(fd, fcntl.LOCK_UN)
            except BlockingIOError:
                seen.add("flock")
            except OSError:
                pass
            for name, command in (("fcntl", fcntl.F_GETLK), ("ofd", F_OFD_GETLK)):
                try:
                    if is_held(command, fd):
                        seen.add(name)
                except OSError:
                    pass
        time.sleep(0.01)
    for name in ("flock", "fcntl", "ofd"):
        print("yes" if name in seen else "no", name)
