# How: tries to read what a host keeps secret: paths given as arguments, other processes' /proc, the whole of /sys.
# Expected: exited 0; each line says "no"; a "yes" is an escape.
import glob
import os
import sys

paths = sys.argv[1:] + glob.glob("/proc/[0-9]*/environ") + glob.glob("/proc/[0-9]*/root")
paths += ["/sys/kernel", "/proc/1/environ", "/proc/1/cmdline", "/proc/1/root/etc", "/proc/1/cwd", "/proc/kcore"]
paths += ["/proc/sysrq-trigger", "/proc/self/root/etc/shadow", "/dev/mem", "/dev/kmsg", "/dev/fuse", "/dev/tty"]
own = os.getpid()
for path in paths:
    if path.startswith(("/proc/%d/" % own, "/proc/self/environ")):
        continue
    try:
        if os.path.isdir(path):
            found = os.listdir(path)
            print("yes" if found else "no", path, "folder", len(found))
            continue
        with open(path, "rb") as file:
            file.read(16)
        print("yes", path)
    except OSError as error:
        print("no", path, error.errno)
