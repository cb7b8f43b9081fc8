# How: looks for processes that are not its own, by listing and by guessing numbers, and into what they hold.
# Expected: exited 0; every line says "no".
import ctypes
import os

own = {str(os.getpid()), "self", "thread-self"}
listed = [name for name in os.listdir("/proc") if name.isdigit() and name not in own]
# The run's own init may be listed; there is nothing else.
print("no" if all(name == "1" for name in listed) else "yes", "others listed", *listed)
for pid in [str(number) for number in range(1, 300)] + [str(os.getppid())]:
    if pid in own:
        continue
    for name in ("environ", "mem", "maps", "fd", "fdinfo", "root", "cwd", "exe", "map_files", "task", "stack", "syscall", "io", "auxv", "pagemap"):
        path = f"/proc/{pid}/{name}"
        try:
            if name in ("root", "cwd", "exe"):
                print("yes", path, os.readlink(path))
            elif name in ("fd", "fdinfo", "map_files", "task"):
                found = os.listdir(path)
                print("yes" if name != "task" and found else "no", path, len(found))
            else:
                with open(path, "rb") as file:
                    print("yes" if file.read(16) else "no", path)
        except (OSError, ValueError):
            pass
libc = ctypes.CDLL(None, use_errno=True)
for pid in range(1, 300):
    if pid != os.getpid() and pid != 1 and libc.kill(pid, 0) == 0:
        print("yes", "kill", pid)
print("no", "end of the search")
