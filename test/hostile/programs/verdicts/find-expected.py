# How: searches all files it can read, its own memory map, every descriptor and the environment for the marker that
# starts the expected output, and prints what follows it.
# Expected: wrong_answer: the expected output is nowhere in the jail.
import os
import sys

marker = sys.stdin.readline().strip().encode()
hits = []

def look(path, data):
    at = data.find(marker + b"-")
    if at >= 0 and b"find-expected" not in data[max(0, at - 200) : at]:
        hits.append(path)
        print(data[at : at + 64].decode("latin-1"))

for folder in ("/work", "/tmp", "/dev/shm", "/run", "/etc", "/proc/self", "/proc/1", "/proc/%d" % os.getppid()):
    for parent, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name not in ("task", "map_files")]
        for name in files:
            path = os.path.join(parent, name)
            if path.endswith(("/mem", "/pagemap", "/kmsg", "/clear_refs")):
                continue
            try:
                fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
            except OSError:
                continue
            try:
                look(path, os.read(fd, 1 << 20))
            except OSError:
                pass
            finally:
                os.close(fd)
for fd in range(3, 64):
    try:
        look(f"fd {fd}", os.read(fd, 1 << 16))
    except OSError:
        pass
look("environment", repr(dict(os.environb)).encode())
print("hits", len(hits))
