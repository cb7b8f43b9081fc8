#: {"stdin": "x"}
import os, stat, sys
i = sys.stdin
print(i.name, i.mode, i.encoding, i.errors, i.line_buffering, i.isatty(), i.fileno(), i.newlines, i.readable(), i.seekable())
print(i.buffer.raw.mode, i.buffer.raw.closefd, i.buffer, i)
for fd in 0, 1, 2:
    s = os.fstat(fd)
    print(stat.S_ISFIFO(s.st_mode), oct(s.st_mode), s.st_uid, s.st_gid, s.st_blksize, os.isatty(fd), os.get_blocking(fd), os.get_inheritable(fd))
