# How: asks to be told when anybody opens, reads or executes files that all jails have in common: inotify, dnotify, leases,
# fanotify, the state of the page cache.
# Expected: exited 0; every line says "no".
import ctypes
import fcntl
import os

libc = ctypes.CDLL(None, use_errno=True)


def tell(name, result):
    print("yes" if result >= 0 else "no", name, ctypes.get_errno())


watch = libc.inotify_init1(os.O_NONBLOCK)
tell("inotify", -1 if watch < 0 else libc.inotify_add_watch(watch, b"/usr/bin", 0xFFF))
tell("fanotify", libc.fanotify_init(0, 0))
folder = os.open("/usr/bin", os.O_RDONLY)
file = os.open("/usr/bin/env", os.O_RDONLY)
for name, fd, command, argument in (("dnotify", folder, fcntl.F_NOTIFY, 0x80000003), ("lease", file, fcntl.F_SETLEASE, fcntl.F_RDLCK)):
    try:
        fcntl.fcntl(fd, command, argument)
        print("yes", name)
    except (OSError, OverflowError) as error:
        print("no", name, error)
CACHESTAT = 451
extent = (ctypes.c_uint64 * 2)(0, 0)
state = (ctypes.c_uint64 * 5)()
tell("cachestat", libc.syscall(CACHESTAT, file, extent, state, 0))
