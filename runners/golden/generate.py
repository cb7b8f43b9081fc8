"""Writes golden.txt: one frame a line, `name | from | hex | what it says`, for the tests of both sides.

`from` is service, launcher (the service to the launcher) or supervisor. In the last column values are
percent-encoded, lists joined by commas; `bad=` gives the C reader's reason for a frame that must be refused.
"""

from __future__ import annotations

import os
import struct
import sys
from typing import List
from urllib.parse import quote

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "test"))
import jail as wire

lines: List[str] = []


def text(b: object) -> str:
    return quote(b if isinstance(b, (bytes, str)) else str(b), safe="_./=-").replace("~", "%7E")


def add(name: str, sender: str, data: bytes, says: str) -> None:
    lines.append(" | ".join([name, sender, data.hex(), says]))


def head(kind: str, flags: int, ident: int) -> str:
    return "type=%s flags=%d id=%d" % (kind, flags, ident)


def file(name: str, flags: int, ident: int, path: str, content: bytes) -> None:
    p = path.encode()
    add(name, "service", wire.frame(wire.FILE, flags, ident, struct.pack("<H", len(p)) + p + content),
        head("FILE", flags, ident) + " path=%s content=%s" % (text(path), text(content)))


DEFAULTS = [("cpu_ms", 1000), ("wall_ms", 3000), ("processes", 16), ("memory_bytes", 268435456),
            ("output_bytes", 1048576), ("disk_bytes", 67108864), ("inodes", 4096), ("open_files", 256),
            ("stack_bytes", 67108864), ("collect_bytes", 0), ("stdin_bytes", 0), ("cpu", -1)]


def run(name: str, ident: int, argv: List[str], env: List[str], collect: List[str], run_flags: int = 0, **o: int) -> None:
    values = dict(DEFAULTS)
    values.update(o)
    payload = wire.run_payload(list(argv), env=env, collect=collect, flags=run_flags, **values)
    add(name, "service", wire.frame(wire.RUN, 0, ident, payload), head("RUN", 0, ident) + " run_flags=%d " % run_flags +
        " ".join("%s=%d" % (k, values[k]) for k, _ in DEFAULTS) + " argv=%s env=%s collect=%s" % (
            ",".join(map(text, argv)), ",".join(map(text, env)), ",".join(map(text, collect))))


file("file-of-program", 0, 0, "main.py", b"print(1)\n")
file("file-empty", 0, 0, "a", b"")
file("file-executable-of-run", 2, 7, "bin/tool", b"\x7fELF\x00\xff")
file("file-append", 1, 0, "src/deep/\u00e4 b,c.txt", b"more")
file("file-path-of-32-parts", 3, 1, "/".join(["d"] * 32), b"x")
run("run-small", 1, ["/usr/bin/true"], [], [])
run("run-warm", 1, ["/usr/bin/python3", "main.py"], [], [], run_flags=4)
run("run-light", 1, ["/usr/bin/python3", "main.py"], [], [], run_flags=20)
run("run-tree", 1, ["/bin/sh", "-c", "true"], [], [], run_flags=32)
run("run-live", 1, ["/usr/bin/cat"], [], [], run_flags=12)
run("run-full", 4294967295, ["./main", "an arg", "", "\u00fc,%"], ["PATH=/usr/bin:/bin", "EMPTY="], ["out/a.bin", "b"],
    run_flags=4, cpu_ms=4294967295, stdin_bytes=1 << 40, cpu=3, memory_bytes=(1 << 63) + 5, collect_bytes=12345678901)
def entry(name: str, sender: str, kind: int, mode: int, mtime: int, path: bytes, rest: bytes = b"", flags: int = 0) -> None:
    number, word = (wire.ENTRY, "ENTRY") if sender == "service" else (wire.TREE, "TREE")
    add(name, sender, wire.frame(number, flags, 3, struct.pack("<BHQH", kind, mode, mtime, len(path)) + path + rest),
        head(word, flags, 3) + " kind=%d mode=%d mtime_us=%d path=%s rest=%s" % (kind, mode, mtime, text(path), text(rest)))


entry("entry-file", "service", 1, 0o755, 1700000000123456, b"a/run.sh")
entry("entry-folder", "service", 2, 0o700, 0, b"a")
entry("entry-link", "service", 3, 0o777, 5, b"a/l", b"../\xc3\xa4")
add("stdin", "service", wire.frame(wire.STDIN, 0, 2, b"1 2\n\x00"), head("STDIN", 0, 2) + " content=" + text(b"1 2\n\x00"))
add("end", "service", wire.frame(wire.END, 0, 2), head("END", 0, 2))
add("signal", "service", wire.frame(wire.SIGNAL, 0, 2, struct.pack("<I", 15)), head("SIGNAL", 0, 2) + " signal=15")
add("cancel", "service", wire.frame(wire.CANCEL, 0, 0), head("CANCEL", 0, 0))
add("reset", "service", wire.frame(wire.RESET, 0, 0), head("RESET", 0, 0))

records = [
    (6, struct.pack("<B", 0), "join:0:"),
    (6, struct.pack("<B", 1) + b"supervisor", "join:1:supervisor"),
    (4, struct.pack("<B", 1) + b"run", "mkdir:1:run"),
    (5, struct.pack("<BI", 1, 100000) + b"run", "chown:1:100000:run"),
    (2, struct.pack("<BB", 0, 8) + b"pids.max" + b"64", "write:0:pids.max:64"),
    (3, struct.pack("<BBB", 0, 1, 16) + b"memory.limit_in_bytes", "fd:0:1:16:memory.limit_in_bytes"),
    (3, struct.pack("<BBB", 1, 2, 31) + b"run", "fd:1:2:31:run"),
    (1, b'hostname: "@NAME@"\n', "config:" + text('hostname: "@NAME@"\n')),
]
add("launch", "launcher", wire.frame(wire.LAUNCH, 0, 0, b"".join(wire.record(k, d) for k, d, _ in records)),
    head("LAUNCH", 0, 0) + " records=" + ",".join(s for _, _, s in records))

add("hello", "supervisor", wire.frame(wire.HELLO, 0, 0, struct.pack("<HHIIIIH", 1, 1, 63, 14, 17, 1, 6) + b"jail-7"),
    head("HELLO", 0, 0) + " protocol=1 cgroup=1 features=63 fds=14 mounts=17 processes=1 name=jail-7")
add("output-stdout", "supervisor", wire.frame(wire.OUTPUT, 1, 3, b"ok\n"), head("OUTPUT", 1, 3) + " content=ok%0A")
add("output-stderr", "supervisor", wire.frame(wire.OUTPUT, 2, 3, b"\xff\x00"), head("OUTPUT", 2, 3) + " content=%FF%00")
add("collected-part", "supervisor", wire.frame(wire.COLLECTED, 1, 3, struct.pack("<HH", 0, 0) + b"abc"),
    head("COLLECTED", 1, 3) + " index=0 status=0 content=abc")
add("collected-missing", "supervisor", wire.frame(wire.COLLECTED, 0, 3, struct.pack("<HH", 63, 1)),
    head("COLLECTED", 0, 3) + " index=63 status=1 content=")
RESULT = [0, 3, 0, 0, 1500, 2500, 10, 1421312, 1, 0, 0, 0, 3, 4, 16]
for name, values in [("result-exited", RESULT), ("result-signalled", [1, -1, 11, 0] + RESULT[4:]),
                     ("result-memory", [4, -1, 9, 0, (1 << 40) + 1, 1 << 33, 0, 1 << 34, 1, 2, 99, 0, 0, 0, 95]),
                     ("result-not-started", [8, -1, 0, 2] + [0] * 11)]:
    add(name, "supervisor", wire.frame(wire.RESULT, 0, 9, struct.pack("<IiiiQQQQIIIIQQII", *values, 0)),
        head("RESULT", 0, 9) + " " + " ".join("%s=%d" % p for p in zip(wire.RESULT_FIELDS, values)))
add("clean", "supervisor", wire.frame(wire.CLEAN, 0, 0, struct.pack("<IIIIQ", 1, 14, 17, 1, 1 << 33)),
    head("CLEAN", 0, 0) + " clean=1 fds=14 mounts=17 processes=1 memory_bytes=8589934592")
entry("tree-file-part", "supervisor", 1, 0o644, 7, b"a/b", b"first", flags=1)
add("tree-file-rest", "supervisor", wire.frame(wire.TREE, 2, 3, b"last"), head("TREE", 2, 3) + " content=last")
entry("tree-link", "supervisor", 3, 0o777, 7, b"l", b"a/b")
entry("tree-special", "supervisor", 4, 0, 0, b"fifo")
entry("tree-end", "supervisor", 0, 2, 0, b"")
add("taken", "supervisor", wire.frame(wire.TAKEN, 0, 3, struct.pack("<I", 131072)), head("TAKEN", 0, 3) + " bytes=131072")
add("error", "supervisor", wire.frame(wire.ERROR, 0, 5, struct.pack("<I", 2) + b"mount: No space"),
    head("ERROR", 0, 5) + " code=2 text=mount%3A%20No%20space")

bad = lambda name, sender, data, why: add(name, sender, data, "bad=" + text(why))
bad("unknown-type", "service", wire.frame(0x7F, 0, 0), "unknown frame type")
bad("type-of-the-other-side", "service", wire.frame(wire.RESULT, 0, 0, bytes(88)), "unknown frame type")
bad("service-type-from-supervisor", "supervisor", wire.frame(wire.CANCEL, 0, 0), "unknown frame type")
bad("too-long", "service", struct.pack("<IBBHI", 262145, 3, 0, 0, 1), "frame too long")
bad("reserved-field", "service", struct.pack("<IBBHI", 0, 4, 0, 1, 0), "reserved header field is not zero")
bad("unknown-flag", "service", wire.frame(wire.FILE, 4, 0, b"\x01\x00a"), "unknown frame flag")
bad("cancel-with-payload", "service", wire.frame(wire.CANCEL, 0, 0, b"x"), "frame length not allowed for its type")
bad("stdin-empty", "service", wire.frame(wire.STDIN, 0, 1), "frame length not allowed for its type")
bad("end-with-payload", "service", wire.frame(wire.END, 0, 1, b"x"), "frame length not allowed for its type")
bad("signal-without-number", "service", wire.frame(wire.SIGNAL, 0, 1), "frame length not allowed for its type")
bad("output-of-both", "supervisor", wire.frame(wire.OUTPUT, 3, 1, b"x"), "output of no single stream")
for name, path in [("absolute", b"/a"), ("dot", b"a/./b"), ("dotdot", b"a/../b"), ("empty-part", b"a//b"), ("nul", b"a\0b"),
                   ("trailing-slash", b"a/"), ("empty", b""), ("33-parts", b"/".join([b"d"] * 33)), ("256-bytes", b"n" * 256)]:
    bad("path-" + name, "service", wire.frame(wire.FILE, 0, 0, struct.pack("<H", len(path)) + path + b"c"),
        "path is not allowed")
bad("path-beyond-frame", "service", wire.frame(wire.FILE, 0, 0, b"\xff\xffabc"), "path is not allowed")
good = wire.run_payload(["/x"], **dict(DEFAULTS))
for name, payload, why in [
    ("run-trailing-bytes", good + b"x", "RUN: bytes after the last string"),
    ("run-short-string", good[:-1], "RUN: bad string"),
    ("run-name-not-path", wire.run_payload(["sh"], **dict(DEFAULTS)), "RUN: argv[0] is not a path"),
    ("run-no-argv", wire.run_payload([], **dict(DEFAULTS)), "RUN: number of strings out of range"),
    ("run-nul-in-string", wire.run_payload(["/x\0y"], **dict(DEFAULTS)), "RUN: bad string"),
    ("run-unknown-flag", wire.run_payload(["/x"], flags=2, **dict(DEFAULTS)), "RUN: unknown flag"),
    ("run-live-with-input", wire.run_payload(["/x"], flags=8, **dict(DEFAULTS, stdin_bytes=1)),
     "RUN: live with stdin_bytes"),
    ("run-collect-outside", wire.run_payload(["/x"], collect=["../x"], **dict(DEFAULTS)), "RUN: path to collect is not allowed"),
    ("run-no-time", wire.run_payload(["/x"], **dict(DEFAULTS, cpu_ms=0)), "RUN: a limit is zero"),
    ("run-cpu-below", wire.run_payload(["/x"], **dict(DEFAULTS, cpu=-2)), "RUN: stdin_bytes or cpu out of range"),
    ("run-stdin-too-large", wire.run_payload(["/x"], **dict(DEFAULTS, stdin_bytes=(1 << 40) + 1)),
     "RUN: stdin_bytes or cpu out of range"),
]:
    bad(name, "service", wire.frame(wire.RUN, 0, 1, payload), why)

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden.txt"), "w") as f:
    f.write("# name | from | frame in hex | what it says. Written by generate.py; read by the tests of both sides.\n")
    f.write("\n".join(lines) + "\n")
