# How: leaves links, a pipe, a socket and a folder where files are expected to be collected, among them
# links in the middle of a path, to files of the host and of the jail; a daemon goes on swapping file and link.
# Expected: exited 0; what is no regular file is refused by name, and not one byte behind a link comes back.
import os
import socket
import time

os.symlink("/etc/passwd", "link")
os.symlink("/proc/self/environ", "environ")
os.symlink("/proc/1/environ", "environ-of-init")
os.symlink("/", "root")
os.symlink("loop", "loop")
os.symlink("plain", "link-to-plain")
os.mkfifo("pipe")
os.mkdir("folder")
socket.socket(socket.AF_UNIX).bind("socket")
with open("plain", "w") as file:
    file.write("plain text")
with open("hidden", "w") as file:
    file.write("hidden text")
os.chmod("hidden", 0)
with open("new\nline", "w") as file:
    file.write("odd name")
with open(b"bytes-\xff\xfe", "w") as file:
    file.write("odd name")
with open("binary", "wb") as file:
    file.write(bytes(range(256)))
if os.fork() == 0:
    os.setsid()
    while True:
        for make in (lambda: os.symlink("/etc/passwd", "next"), lambda: open("next", "w").close()):
            try:
                make()
                os.rename("next", "swapped")
            except OSError:
                pass
time.sleep(0.2)
os._exit(0)
