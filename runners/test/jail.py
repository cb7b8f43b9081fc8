"""A client of the launcher and the supervisor for tests: builds LAUNCH and RUN frames, reads results.

It owns the wire as the tests see it and a jail configuration like production's; it judges nothing.
Standard library only, Python 3.9.
"""

from __future__ import annotations

import os
import socket
import struct
import subprocess
import tempfile
import time
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Tuple

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.environ.get("BUILD") or os.path.join(HERE, "..", "build")
FILE, RUN, STDIN, CANCEL, RESET, END, SIGNAL, ENTRY, LAUNCH = 1, 2, 3, 4, 5, 6, 7, 8, 0x10
HELLO, OUTPUT, COLLECTED, RESULT, CLEAN, ERROR, TAKEN, TREE = 0x81, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89
CAUSES = ["exited", "signalled", "cpu", "wall", "memory", "output", "processes", "cancelled", "not_started"]
CHUNK = 65536
# Tolerance of times, for emulated machines.
SLACK = float(os.environ.get("SLACK", "1"))
LIVE, LIVE_BUFFER = 8, 262144


def frame(kind: int, flags: int, ident: int, payload: bytes = b"") -> bytes:
    return struct.pack("<IBBHI", len(payload), kind, flags, 0, ident) + payload


def run_payload(argv: List[str], **o: Any) -> bytes:
    env = o.pop("env", ["PATH=/usr/bin:/bin"])
    collect = o.pop("collect", [])
    get = lambda key, default: o.pop(key, default)
    fixed = struct.pack(
        "<IIIIQQQIIQQQiHHHH",
        get("flags", 0), get("cpu_ms", int(2000 * SLACK)), get("wall_ms", int(5000 * SLACK)), get("processes", 32),
        get("memory_bytes", 256 << 20), get("output_bytes", 64 << 20), get("disk_bytes", 64 << 20),
        get("inodes", 4096), get("open_files", 256), get("stack_bytes", 64 << 20),
        get("collect_bytes", 16 << 20), get("stdin_bytes", 0), get("cpu", -1),
        len(argv), len(env), len(collect), 0)
    assert not o, o
    strings = [s if isinstance(s, bytes) else s.encode() for s in argv + env + collect]
    return fixed + b"".join(struct.pack("<I", len(s)) + s for s in strings)


class JailGone(Exception):
    """The supervisor closed the connection; the text is its ERROR frame, if it sent one."""


class Channel:
    """Frames over one connection."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.buffer = bytearray()

    def send(self, data: bytes) -> None:
        self.sock.sendall(data)

    def receive(self) -> Tuple[int, int, int, bytes]:
        while True:
            if len(self.buffer) >= 12:
                length, kind, flags, _, ident = struct.unpack_from("<IBBHI", self.buffer)
                if len(self.buffer) >= 12 + length:
                    payload = bytes(self.buffer[12:12 + length])
                    del self.buffer[:12 + length]
                    if kind == ERROR:
                        raise JailGone("%d: %s" % (struct.unpack_from("<I", payload)[0], payload[4:].decode()))
                    return kind, flags, ident, payload
            data = self.sock.recv(1 << 20)
            if not data:
                raise JailGone("end of file")
            self.buffer += data


RESULT_FIELDS = ["cause", "exit_code", "signal", "start_errno", "cpu_us", "wall_us", "stalled_us", "memory_bytes",
                 "memory_source", "oom_kills", "limit_hits", "process_hits", "stdout_bytes", "stderr_bytes", "flags"]


def parse_result(payload: bytes) -> Dict[str, Any]:
    assert len(payload) == 88
    r = dict(zip(RESULT_FIELDS, struct.unpack("<IiiiQQQQIIIIQQII", payload)))
    r["cause"] = CAUSES[r["cause"]]
    return r


class Jail(Channel):
    def __init__(self, sock: socket.socket) -> None:
        super().__init__(sock)
        self.next_id = 1
        kind, _, _, p = self.receive()
        assert kind == HELLO, kind
        self.protocol, self.back_end, self.features, self.fds, self.mounts, self.processes, n = \
            struct.unpack_from("<HHIIIIH", p)
        self.name = p[22:22 + n].decode()

    def file(self, path: str, content: bytes, ident: int = 0, executable: bool = False) -> None:
        room = 200000
        flags = 2 if executable else 0
        head = struct.pack("<H", len(path.encode())) + path.encode()
        self.send(frame(FILE, flags, ident, head + content[:room]))
        for at in range(room, len(content), room):
            self.send(frame(FILE, flags | 1, ident, head + content[at:at + room]))

    def submit(self, argv: List[str], stdin: bytes = b"", files: Optional[Dict[str, bytes]] = None, **o: Any) -> int:
        ident = self.next_id
        self.next_id += 1
        for path, content in (files or {}).items():
            self.file(path, content, ident)
        data = frame(RUN, 0, ident, run_payload(argv, stdin_bytes=len(stdin), **o))
        if len(stdin) < CHUNK:
            self.send(data + (frame(STDIN, 0, ident, stdin) if stdin else b""))
            return ident
        self.send(data)
        for at in range(0, len(stdin), 200000):
            self.send(frame(STDIN, 0, ident, stdin[at:at + 200000]))
        return ident

    def result(self) -> Dict[str, Any]:
        out: Dict[int, List[bytes]] = {1: [], 2: []}
        collected: Dict[int, Any] = {}
        while True:
            kind, flags, ident, p = self.receive()
            if kind == OUTPUT:
                out[flags].append(p)
            elif kind == COLLECTED:
                index, status = struct.unpack_from("<HH", p)
                old = collected.get(index, (0, b""))
                collected[index] = (status, old[1] + p[4:])
            elif kind == TAKEN:
                continue
            elif kind == RESULT:
                r = parse_result(p)
                r.update(id=ident, out=b"".join(out[1]), err=b"".join(out[2]), collected=collected)
                return r
            else:
                raise AssertionError("frame %x" % kind)

    def run(self, argv: List[str], **o: Any) -> Dict[str, Any]:
        ident = self.submit(argv, **o)
        r = self.result()
        assert r["id"] == ident
        return r

    def live(self, argv: List[str], **o: Any) -> int:
        """A run whose input comes while it executes."""
        return self.submit(argv, flags=LIVE | o.pop("flags", 0), **o)

    def say(self, ident: int, data: bytes) -> None:
        self.send(frame(STDIN, 0, ident, data))

    def end(self, ident: int) -> None:
        self.send(frame(END, 0, ident))

    def signal(self, ident: int, number: int) -> None:
        self.send(frame(SIGNAL, 0, ident, struct.pack("<I", number)))

    def hear(self, kind: int) -> bytes:
        got, _, _, p = self.receive()
        assert got == kind, "frame %x" % got
        return p

    def cancel(self) -> None:
        self.send(frame(CANCEL, 0, 0))

    def reset(self) -> Dict[str, int]:
        self.send(frame(RESET, 0, 0))
        kind, _, _, p = self.receive()
        assert kind == CLEAN, kind
        self.next_id = 1
        return dict(zip(["clean", "fds", "mounts", "processes", "memory"], struct.unpack("<IIIIQ", p)))

    def close(self) -> None:
        self.sock.close()


def mount(dst: str, **o: Any) -> str:
    fields = ['dst: "%s"' % dst]
    for key, value in o.items():
        fields.append("%s: %s" % (key, str(value).lower() if isinstance(value, bool) else '"%s"' % value))
    return "mount { %s }" % " ".join(fields)


def jail_config(arguments: List[str], pass_fds: List[int], own_uid: bool, mounts: Dict[str, str]) -> str:
    lines = [
        "mode: ONCE", "time_limit: 0", "keep_caps: true", "disable_rl: true", "nice_level: 0", "iface_no_lo: true",
        'hostname: "assay"', "log_level: WARNING",
        'uidmap { inside_id: "0" outside_id: "100000" }', 'gidmap { inside_id: "0" outside_id: "100000" }',
    ]
    if own_uid:
        lines += ['uidmap { inside_id: "1000" outside_id: "100001" }',
                  'gidmap { inside_id: "1000" outside_id: "100001" }']
    lines += ["pass_fd: %d" % fd for fd in pass_fds]
    lines += [
        mount("/proc", fstype="proc", rw=True),
        mount("/run", fstype="tmpfs", rw=True, options="size=1048576,mode=0755"),
        mount("/supervisor", src=os.path.abspath(os.path.join(BUILD, "supervisor")), is_bind=True),
        mount("/skel", fstype="tmpfs", rw=True, options="size=1048576,mode=0755"),
    ]
    for d in ["/usr/bin", "/usr/lib", "/usr/lib64"]:
        if os.path.isdir(d):
            lines.append(mount("/skel" + d, src=d, is_bind=True, nosuid=True, nodev=True))
    for link, to in [("bin", "usr/bin"), ("lib", "usr/lib"), ("lib64", "usr/lib64")]:
        lines.append(mount("/skel/" + link, src=to, is_symlink=True))
    for device in ["null", "zero", "full", "random", "urandom"]:
        lines.append(mount("/skel/dev/" + device, src="/dev/" + device, is_bind=True, rw=True))
    for link, to in [("fd", "/proc/self/fd"), ("stdin", "/proc/self/fd/0"), ("stdout", "/proc/self/fd/1"),
                     ("stderr", "/proc/self/fd/2")]:
        lines.append(mount("/skel/dev/" + link, src=to, is_symlink=True))
    lines.append(mount("/skel/etc/passwd", src_content="root:x:0:0::/:/bin/sh\\nrun:x:1000:1000::/work:/bin/sh\\n"))
    lines += [mount("/skel" + path, src=os.path.realpath(source), is_bind=True) for path, source in mounts.items()]
    lines.append('exec_bin { path: "/supervisor" %s }' % " ".join('arg: "%s"' % a.replace('"', '\\"') for a in arguments))
    return "\n".join(lines) + "\n"


V1_FILES = [  # argument, controller, access, file
    ("--fd-cpu", "cpuacct", 0, "cpuacct.usage"),
    ("--fd-memory-limit", "memory", 1, "memory.limit_in_bytes"),
    ("--fd-memory-peak", "memory", 1, "memory.max_usage_in_bytes"),
    ("--fd-memory-usage", "memory", 0, "memory.usage_in_bytes"),
    ("--fd-memory-stat", "memory", 0, "memory.stat"),
    ("--fd-memory-events", "memory", 0, "memory.oom_control"),
    ("--fd-memory-hits", "memory", 0, "memory.failcnt"),
    ("--fd-pids-limit", "pids", 1, "pids.max"),
    ("--fd-pids-events", "pids", 0, "pids.events"),
]
CONTROLLERS = ["memory", "cpuacct", "pids"]
V2_FILES = [
    ("--fd-cpu", 0, "run/cpu.stat"), ("--fd-memory-limit", 1, "run/memory.max"), ("--fd-memory-peak", 1, "run/memory.peak"),
    ("--fd-memory-usage", 0, "run/memory.current"), ("--fd-memory-events", 0, "run/memory.events"),
    ("--fd-memory-stat", 0, "run/memory.stat"), ("--fd-memory-hits", 0, "run/memory.events"), ("--fd-pids-limit", 1, "run/pids.max"),
    ("--fd-pids-events", 0, "run/pids.events"), ("--fd-run-group", 2, "run"),
]


def record(kind: int, data: bytes) -> bytes:
    return struct.pack("<BI", kind, len(data)) + data


class Runtime(NamedTuple):
    """A warm runtime: the command and the environment of most runs, the library that is preloaded, its settings, and what
    its jails have besides, by path."""

    argv: List[str]
    env: List[str]
    library: str
    imports: str = ""
    preload: Dict[str, str] = {}
    mounts: Dict[str, str] = {}
    light: Optional[str] = None  # what a second one imports

    def arguments(self) -> List[str]:
        settings = ["ASSAY_WARM_IMPORTS=" + self.imports, "ASSAY_WARM_PRELOAD=" + ",".join(self.preload)]
        texts = self.env + ["LD_PRELOAD=/assay/" + self.library] + settings
        second = ["--warm-light-env", "ASSAY_WARM_IMPORTS=" + self.light] if self.light is not None else []
        return [x for text in self.argv for x in ("--warm-arg", text)] + [x for text in texts for x in ("--warm-env", text)] + second

    def files(self) -> Dict[str, str]:
        return {"/assay/" + self.library: os.path.join(BUILD, self.library), **self.preload, **self.mounts}


PYTHON = "/usr/bin/python3"
PYTHON_ENV = ["PATH=/usr/bin:/bin", "HOME=/work", "LANG=C.UTF-8", "PYTHONHASHSEED=0"]
# The modules that the zygote holds for who asks for them, here and in jails.
PRELOADED = {"/assay/split/%s.py" % name: os.path.join(HERE, "..", "python", "split", name + ".py")
             for name in ("channel", "codec", "worker")}


def niceness_here() -> int:
    """What the service gives runs on this kernel (protocol.md, `--nice`)."""
    try:
        with open("/proc/sys/kernel/sched_autogroup_enabled") as f:
            return 19 if f.read().strip() == "1" else 0
    except FileNotFoundError:
        return 0


NICENESS = niceness_here()


class Launcher:
    """The real launcher, with cgroups of its own (`v1`) or none; with `warm` a runtime in its jails."""

    def __init__(self, back_end: str, own_uid: bool = True, warm: Optional[Runtime] = None, niceness: int = NICENESS,
                 preexec: Optional[Callable[[], None]] = None) -> None:
        self.warm = warm
        # As the service does: what shares the supervisor's turn must be bounded by RLIMIT_NPROC, which asks for an own id.
        self.niceness = niceness if own_uid else 0
        self.back_end = back_end
        self.own_uid = own_uid
        self.dir = tempfile.mkdtemp(prefix="assay-test-")
        self.path = os.path.join(self.dir, "socket")
        self.groups: List[str] = []
        arguments = [os.path.join(BUILD, "launcher"), "--socket", self.path, "--nsjail", os.environ["NSJAIL"]]
        if back_end == "v1":
            for c in CONTROLLERS:
                group = "/sys/fs/cgroup/%s/assay-test-%d" % (c, os.getpid())
                os.makedirs(group, exist_ok=True)
                self.groups.append(group)
                arguments += ["--cgroup", group]
        if back_end == "v2":
            group = "/sys/fs/cgroup/assay-test-%d" % os.getpid()
            os.makedirs(group, exist_ok=True)
            for g in ["/sys/fs/cgroup", group]:
                with open(g + "/cgroup.subtree_control", "w") as f:
                    f.write("+memory +pids")
            self.groups.append(group)
            arguments += ["--cgroup", group]
        self.process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, preexec_fn=preexec)
        assert self.process.stdout and self.process.stdin
        assert self.process.stdout.readline() == b"ready\n"

    def launch_frame(self) -> bytes:
        arguments = ["--name", "@NAME@", "--cgroup", self.back_end, "--uid", "1000" if self.own_uid else "0"]
        arguments += ["--nice", str(self.niceness)]
        if self.warm is not None:
            arguments += self.warm.arguments()
        records = b""
        fds = []
        if self.back_end == "v1":
            records += b"".join(record(6, struct.pack("<B", i)) for i in range(len(CONTROLLERS)))
            for number, (flag, controller, access, name) in enumerate(V1_FILES, 16):
                arguments += [flag, str(number)]
                fds.append(number)
                records += record(3, struct.pack("<BBB", CONTROLLERS.index(controller), access, number) + name.encode())
        if self.back_end == "v2":
            # clone3 into a sibling group asks for write permission on both groups and on their common ancestor.
            uid = struct.pack("<BI", 0, 100000)
            records += record(2, struct.pack("<BB", 0, 22) + b"cgroup.subtree_control+memory +pids")
            records += record(4, b"\0supervisor") + record(4, b"\0run")
            records += record(5, uid + b"cgroup.procs") + record(5, uid + b"run/cgroup.procs")
            records += record(2, struct.pack("<BB", 0, 19) + b"run/memory.swap.max0")
            records += record(6, b"\0supervisor")
            for number, (flag, access, name) in enumerate(V2_FILES, 16):
                arguments += [flag, str(number)]
                fds.append(number)
                records += record(3, struct.pack("<BBB", 0, access, number) + name.encode())
        config = jail_config(arguments, fds, self.own_uid, self.warm.files() if self.warm else {}) + ("clone_newcgroup: false\n" if self.back_end == "v2" else "")
        return frame(LAUNCH, 0, 0, records + record(1, config.encode()))

    def connect(self) -> socket.socket:
        sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        sock.settimeout(60 * SLACK)
        sock.connect(self.path)
        return sock

    def jail(self) -> Jail:
        sock = self.connect()
        sock.sendall(self.launch_frame())
        return Jail(sock)

    def wait_exit(self) -> str:
        assert self.process.stdout
        while True:
            line = self.process.stdout.readline().decode().strip()
            if not line.startswith("end "):  # its cause comes before
                return line

    def close(self) -> int:
        assert self.process.stdin
        self.process.stdin.close()
        code = self.process.wait(20)
        for g in self.groups:
            os.rmdir(g)
        os.rmdir(self.dir)
        return code


def wait_until(condition: Any, seconds: float = 5.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.01)
    return bool(condition())
