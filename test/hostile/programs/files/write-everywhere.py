# How: tries to make a file in every folder it can see and to append to every file.
# Expected: exited 0; the only folders that take a file are the run's own.
import os

writable = set()
for folder, folders, files in os.walk("/", followlinks=False):
    folders[:] = [name for name in folders if os.path.join(folder, name) not in ("/proc",)]
    probe = os.path.join(folder, "assay-probe")
    try:
        os.close(os.open(probe, os.O_CREAT | os.O_WRONLY, 0o600))
        os.unlink(probe)
        writable.add(folder)
    except OSError:
        pass
    for name in files[:50]:
        path = os.path.join(folder, name)
        if folder.startswith(("/work", "/tmp", "/dev")):
            continue
        try:
            os.close(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_NONBLOCK))
            print("file", path)
        except OSError:
            pass
for path in ("/proc/self/oom_score_adj", "/proc/sys/kernel/hostname", "/proc/sysrq-trigger", "/proc/self/loginuid"):
    try:
        with open(path, "w") as file:
            file.write("0")
        print("file", path)
    except OSError:
        pass
print(*sorted(writable))
