"""Programs forked from a warm Python, against the same programs executed, in a real jail through the real supervisor.

Every program must end the same way both times and leave the jail as it was; then what only the warm path has: cancelling
at any moment, windows of both kinds, a runtime that does not grow, and its death. Needs root and NSJAIL=path.
`test_warm.py [none|v1|v2]... [own-uid|one-uid] [-k word]`.
"""

from __future__ import annotations

import json
import os
import random
import signal
import struct
import sys
import time
from typing import Any, Dict, List

import jail as wire
import warm as shared
from jail import SLACK, Jail, JailGone, frame
from warm import FORKED, LIGHT, RUNS, WARM, end_of, runtime_of, size_of, test

IMPORTS = "collections,heapq,json,math,os,random,re,statistics,threading,typing"
LIGHT_IMPORTS = "json,random"
ARGV = [wire.PYTHON, "main.py"]
RUNTIME = wire.Runtime(ARGV, wire.PYTHON_ENV, "python-zygote.so", IMPORTS, wire.PRELOADED, light=LIGHT_IMPORTS)


def options(warm: bool, o: Dict[str, Any]) -> Dict[str, Any]:
    return shared.options(warm, wire.PYTHON_ENV, o)


def python(j: Jail, text: str, warm: bool = True, argv: List[str] = ARGV, **o: Any) -> Dict[str, Any]:
    return j.run(argv, files={"main.py": text.encode()}, **options(warm, o))


def submit(j: Jail, text: str, warm: bool = True, **o: Any) -> int:
    return j.submit(ARGV, files={"main.py": text.encode()}, **options(warm, o))


HOSTILE: Dict[str, Any] = {
    "says hello": "print('hello')",
    "exits": "raise SystemExit(3)",
    "raises": "1 / 0",
    "reads its input": ("print(input(), open(0).read())", dict(stdin=b"a\nb\n")),
    "leaves its input": ("print(input())", dict(stdin=b"line\n" * 100000)),
    "ends by itself at once": "import os; os._exit(0)",
    "kills itself": "import os; os.kill(os.getpid(), 9)",
    "terminates itself": "import os; os.kill(0, 15)",
    "aborts": "import os; os.abort()",
    "stops itself": ("import os; os.kill(os.getpid(), 19)", dict(wall_ms=300)),
    "stops everything": ("import os, time; os.kill(-1, 19); time.sleep(9)", dict(wall_ms=300)),
    "kills everything": "import os; os.kill(-1, 9); print('alive')",
    "is killed by its child": "import os, time\nif os.fork() == 0: os.kill(os.getppid(), 9); os._exit(0)\ntime.sleep(9)",
    "signals all numbers": """
import os
for pid in [1] + list(range(3, 400)):
    for number in 9, 15, 19:
        try: os.kill(pid, number)
        except OSError: pass
print('alive')""",
    "leads a session": "import os\ntry: os.setsid()\nexcept OSError as e: print(e)\nos.setpgid(0, 0)",
    "leaves a daemon": """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(60)
    os._exit(0)
os.wait()
print('end')""",
    "leaves many daemons": """
import os, signal, time
for _ in range(10):
    if os.fork() == 0:
        signal.signal(15, signal.SIG_IGN)
        while True: time.sleep(1)
print('end')""",
    "forks and leaves": "import os\nif os.fork() == 0:\n    while True: pass\nos._exit(4)",
    "closes all descriptors": "import os; os.closerange(0, 4096)",
    "closes its streams and sleeps": ("import os, time; os.closerange(0, 3); time.sleep(0.1)", {}),
    "becomes a shell": "import os; os.execv('/bin/sh', ['sh', '-c', 'echo shell; exit 7'])",
    "becomes python": "import os, sys; os.execv(sys.executable, [sys.executable, '-c', 'print(1); raise SystemExit(5)'])",
    "becomes itself": """
import os, sys
if len(sys.argv) < 4:
    os.execv(sys.executable, [sys.executable, 'main.py'] + sys.argv[1:] + ['x'])
print(sys.argv)""",
    "becomes nothing": "import os; os.execv('/work/none', ['none'])",
    "bombs": ("import os\ntry:\n    while True: os.fork()\nexcept OSError: pass\nos._exit(0)",
              dict(processes=16, cpu_ms=1000)),
    "spins": ("while True: pass", dict(cpu_ms=200)),
    "spins in a child": ("import os\nif os.fork() == 0:\n    while True: pass\nos.wait()", dict(cpu_ms=200)),
    "sleeps": ("import time; time.sleep(9)", dict(wall_ms=200)),
    "floods": ("while True: print('x' * 1000)", dict(output_bytes=100000)),
    "floods stderr": ("import sys\nwhile True: sys.stderr.write('x' * 1000)", dict(output_bytes=100000)),
    "takes memory": ("x = []\nwhile True: x.append(bytearray(1 << 20))", dict(memory_bytes=64 << 20)),
    "takes memory in children": ("import os\nfor i in range(8):\n    if os.fork() == 0: x = bytearray(30 << 20); "
                                 "import time; time.sleep(1); os._exit(0)\nfor i in range(8): os.wait()",
                                 dict(memory_bytes=64 << 20)),
    "fills its disk": ("open('f', 'wb').write(b'x' * (32 << 20))", dict(disk_bytes=8 << 20)),
    "traces all numbers": """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
for pid in [1] + list(range(3, 200)):
    for request in 16, 0x4206:
        if libc.ptrace(request, pid, 0, 0) == 0: print('attached to', pid)
print(libc.ptrace(0, 0, 0, 0), ctypes.get_errno())""",
    "reads others' memory": """
import os
for pid in [1] + list(range(3, 200)):
    for name in 'mem', 'environ', 'maps', 'fd', 'root':
        path = f'/proc/{pid}/{name}'
        try:
            print(path, os.listdir(path) if name == 'fd' else open(path, 'rb').read(1))
        except OSError: pass
print('done')""",
    "enters namespaces": """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
for kind in 'pid', 'mnt', 'user', 'ipc', 'uts', 'net':
    for pid in 'self', 1:
        try: fd = os.open(f'/proc/{pid}/ns/{kind}', 0)
        except OSError: continue
        print(kind, pid, libc.setns(fd, 0), ctypes.get_errno())
print(libc.unshare(0x20000000), ctypes.get_errno())""",
    "looks for sockets": """
import os, socket
for fd in range(3, 1024):
    try: os.fstat(fd)
    except OSError: continue
    print('open', fd)
s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
for name in '', '\\0assay', '/run/warm', '/assay':
    try: s.connect(name); print('connected', name)
    except OSError: pass
for fd in range(3, 64):
    for kind in socket.SOCK_SEQPACKET, socket.SOCK_STREAM:
        try: socket.socket(fileno=fd); print('socket', fd)
        except OSError: pass""",
    "forges the status pipe": """
import os, struct
for fd in range(3, 64):
    try: os.write(fd, struct.pack('<IiiiQQQ', 4, 0, 0, 0, 0, 0, 0)); print('wrote', fd)
    except OSError: pass""",
    "asks for its parent": "import os, ctypes; print(os.getpid(), os.getppid(), ctypes.CDLL(None).getppid(), os.getsid(0))",
    "changes limits": """
import resource
for name in sorted(n for n in dir(resource) if n.startswith('RLIMIT_')):
    number = getattr(resource, name)
    soft, hard = resource.getrlimit(number)
    try: resource.setrlimit(number, (hard, resource.RLIM_INFINITY)); print(name, 'raised', hard == -1)
    except (ValueError, OSError) as e: print(name, soft, hard, e)""",
    "writes where it can": """
import os
for folder, _, _ in os.walk('/', onerror=lambda e: None):
    if folder.startswith(('/proc', '/work', '/tmp', '/dev/shm')): continue
    try: open(folder + '/mark', 'w'); print('wrote in', folder)
    except OSError: pass""",
    "threads to the end": ("import threading, time\nfor _ in range(8): threading.Thread(target=time.sleep, args=(60,), "
                           "daemon=True).start()\nprint('end')", {}),
    "has threads of the limit's size": """
import ctypes, threading
libc = ctypes.CDLL(None)
libc.pthread_self.restype = ctypes.c_ulong
def work():
    attributes, size = ctypes.create_string_buffer(64), ctypes.c_size_t()
    libc.pthread_getattr_np(ctypes.c_ulong(libc.pthread_self()), attributes)
    libc.pthread_attr_getstacksize(attributes, ctypes.byref(size))
    print(size.value)
t = threading.Thread(target=work); t.start(); t.join()""",
    "has a file like a module": ("import random; print(random.x)", dict(files={"random.py": b"x = 5"})),
}
COLD = {"has a file like a module"}
# Which limit a bomb meets first is a matter of time.
LOOSE = {"bombs", "takes memory in children"}


@test
def talks_with_a_live_program(j: Jail, grouped: bool) -> None:
    text = "import sys\nfor line in sys.stdin:\n    print(line.upper(), end='', flush=True)\nprint('end')"
    for warm in True, False:
        n = j.live(ARGV, files={"main.py": text.encode()}, **options(warm, {}))
        for i in range(50):
            j.say(n, b"a%d\n" % i)
            assert j.hear(wire.OUTPUT) == b"A%d\n" % i
        j.end(n)
        r = j.result()
        assert r["cause"] == "exited" and r["exit_code"] == 0 and r["out"] == b"end\n", r
        assert bool(r["flags"] & FORKED) == warm, r["flags"]
        n = j.live(ARGV, files={"main.py": b"while True: pass"}, **options(warm, dict(cpu_ms=200)))
        j.say(n, b"x")
        assert j.result()["cause"] == "cpu"
        n = j.live(ARGV, files={"main.py": text.encode()}, **options(warm, {}))
        j.say(n, b"x\n")
        assert j.hear(wire.OUTPUT) == b"X\n"
        j.cancel()
        assert j.result()["cause"] == "cancelled"


@test
def ends_like_a_fresh_interpreter(j: Jail, grouped: bool) -> None:
    for name, row in HOSTILE.items():
        text, given = row if isinstance(row, tuple) else (row, {})
        o = dict(given)
        files = dict(o.pop("files", {}), **{"main.py": text.encode()})
        warm, cold = (j.run(ARGV, files=files, **options(is_warm, dict(o))) for is_warm in (True, False))
        assert bool(warm["flags"] & FORKED) == (name not in COLD) and not cold["flags"] & FORKED, (name, warm)
        if name in LOOSE:
            assert warm["cause"] in ("processes", "cpu", "memory", "exited", "signalled"), (name, warm)
        else:
            assert end_of(warm) == end_of(cold), "%s:\n%.1500r\n%.1500r" % (name, end_of(warm), end_of(cold))
        clean = j.reset()
        assert clean["clean"], (name, clean)


@test
def shows_nothing_of_an_earlier_run(j: Jail, grouped: bool) -> None:
    dirty = """
import builtins, gc, json, math, os, random, re, resource, signal, sys, threading, time
secret = 'SECRET' + '-OF-THE-FIRST-RUN'
builtins.secret = json.secret = math.secret = os.environ['SECRET'] = secret
for folder in '/work', '/tmp', '/dev/shm':
    open(folder + '/' + secret, 'w').write(secret)
os.chdir('/tmp'); os.umask(0); sys.setrecursionlimit(77); gc.disable(); random.seed(1); time.tzset()
signal.signal(signal.SIGTERM, signal.SIG_IGN); signal.setitimer(signal.ITIMER_REAL, 100)
resource.setrlimit(resource.RLIMIT_NOFILE, (20, 20))
os.dup2(os.open('/dev/null', os.O_RDWR), 10, inheritable=True)
os.nice(5)
keep = [secret * 1000 for _ in range(100)]
sys.stdout.write('unflushed'); os._exit(0)"""
    look = """
import builtins, gc, json, math, os, random, resource, signal, sys
print(hasattr(builtins, 'secret'), hasattr(json, 'secret'), hasattr(math, 'secret'), sorted(os.environ))
print([os.listdir(f) for f in ('/work', '/tmp', '/dev/shm')], os.getcwd(), oct(os.umask(0)), sys.getrecursionlimit(), gc.isenabled())
print(signal.getsignal(15), signal.getitimer(0), resource.getrlimit(7), sorted(os.listdir('/proc/self/fd')), os.nice(0))
print(len(os.sched_getaffinity(0)))
found = []
for line in open('/proc/self/maps'):
    span, access = line.split()[:2]
    start, end = (int(x, 16) for x in span.split('-'))
    if access[0] != 'r' or 'vvar' in line or 'vsyscall' in line: continue
    with open('/proc/self/mem', 'rb') as memory:
        memory.seek(start)
        try: found += [line] if (b'SECRET' + b'-OF-THE-FIRST') in memory.read(end - start) else []
        except OSError: pass
print(len([f for f in found if 'first' in f]), len(found))"""
    fresh = python(j, look)
    assert fresh["exit_code"] == 0 and fresh["flags"] & FORKED, fresh
    for _ in range(3):
        r = python(j, dirty)
        assert r["exit_code"] == 0 and r["flags"] & FORKED, r
        assert end_of(python(j, look)) == end_of(fresh), end_of(python(j, look))
    assert [end_of(python(j, look, warm=False))[key] for key in ("out", "exit_code")] == [fresh["out"], 0]


LINE = "# assay: loads the modules of a judgement in two jails, and calls main of the last one\n"


@test
def has_modules_for_who_asks(j: Jail, grouped: bool) -> None:
    requests = [{"op": "setup", "i": 1, "level": 1, "prompt": None},
                {"op": "ahead", "i": 2, "calls": [{"op": "call", "fn": "f", "a": {"v": [[n], {"d": []}]}} for n in (1, 2)]}]
    bodies = [json.dumps(request).encode() for request in requests]
    files = {"main.py": (LINE + "print('not read')").encode(), "solution.json": b'{"path": "solution.py"}',
             "solution.py": b"import sys\ndef f(x):\n    return [x, sorted(n for n in sys.modules if n[:5] == 'assay')]\n"}
    r = j.run(ARGV, files=files, stdin=b"".join(struct.pack(">I", len(b)) + b for b in bodies), **options(True, {}))
    assert r["flags"] & FORKED and r["exit_code"] == 0, r
    replies, out = [], r["out"]
    while out:
        size, = struct.unpack(">I", out[:4])
        replies.append(json.loads(out[4:4 + size]))
        out = out[4 + size:]
    own = ["assay_channel", "assay_codec", "assay_worker"]
    assert [reply["ok"] for reply in replies[1:]] == [{"v": [n, own]} for n in (1, 2)], replies


@test
def hides_modules_from_others(j: Jail, grouped: bool) -> None:
    look = "try:\n    import assay_worker\nexcept ImportError as e:\n    print(e)\ntry:\n    import channel\nexcept ImportError as e:\n    print(e)"
    # The line in another place is a comment, and a cold start reads what follows it.
    for text, out in (look, b"No module named 'assay_worker'\nNo module named 'channel'\n"), ("\n" + LINE + "print(1)", b"1\n"):
        warm, cold = python(j, text), python(j, text, warm=False)
        assert warm["flags"] & FORKED and end_of(warm) == end_of(cold) and warm["out"] == out, (warm, cold)
    assert python(j, LINE + "print(1)", warm=False)["out"] == b"1\n"


@test
def forks_from_the_light_runtime_what_needs_no_more(j: Jail, grouped: bool) -> None:
    text = "import sys\nhad = [n in sys.modules for n in ('json', 'statistics')]\nimport statistics\nprint(had, statistics.mean([1, 2, 3]))"
    for flags, out in (WARM, b"[True, True] 2\n"), (WARM | LIGHT, b"[True, False] 2\n"), (LIGHT, b"[False, False] 2\n"):
        r = python(j, text, flags=flags)
        assert r["out"] == out and r["exit_code"] == 0 and bool(r["flags"] & FORKED) == bool(flags & WARM), (flags, r)
    ends = [end_of(python(j, "import os, random\nprint(input())\nos.kill(os.getpid(), 11)", stdin=b"a", flags=flags))
            for flags in (WARM, WARM | LIGHT)]
    assert ends[0] == ends[1] and ends[0]["signal"] == 11, ends
    submit(j, "print(input())", stdin=b"0")
    for i in range(1, 40):
        submit(j, "print(input())", stdin=b"%d" % i, flags=(WARM, WARM | LIGHT, 0)[i % 3])
        assert j.result()["out"] == b"%d\n" % (i - 1)
    assert j.result()["out"] == b"39\n" and j.reset()["clean"]


@test
def never_repeats_random_bytes(j: Jail, grouped: bool) -> None:
    text = ("import os, random, tempfile, uuid\n"
            "print(os.urandom(8), random.random(), uuid.uuid4(), tempfile.mkdtemp(), random.SystemRandom().random())")
    outputs = [python(j, text)["out"] for _ in range(20)]
    parts = [p for out in outputs for p in out.split()]
    assert len(set(parts)) == len(parts) >= 100, outputs[:3]


@test
def executes_a_long_command(j: Jail, grouped: bool) -> None:
    text = "import sys; print(len(sys.argv[1]), len(sys.argv))"
    for length, forked in [(1000, True), (65000, True), (66000, False), (100000, False)]:
        r = python(j, text, argv=ARGV + ["x" * length])
        assert r["out"] == b"%d 2\n" % length and bool(r["flags"] & FORKED) == forked, r


@test
def cancels_at_any_moment(j: Jail, grouped: bool) -> None:
    rng = random.Random(5)
    cancelled = 0
    for i in range(RUNS // 2):
        submit(j, "print('x' * 100000)\n" * 3, warm=i % 5 != 4)
        if i % 3 == 0:
            submit(j, "input()", stdin=b"1\n" * 1000)
        time.sleep(rng.random() * 0.008 * SLACK)
        j.cancel()
        for _ in range(2 if i % 3 == 0 else 1):
            r = j.result()
            assert r["cause"] in ("cancelled", "exited"), r
            cancelled += r["cause"] == "cancelled"
        if i % 20 == 0:
            assert python(j, "print(1)")["out"] == b"1\n"
            assert j.reset()["clean"]
    assert cancelled, "nothing was cancelled"


@test
def keeps_a_window_of_both_kinds(j: Jail, grouped: bool) -> None:
    submit(j, "print(0)")
    for i in range(1, 60):
        submit(j, "print(input())", warm=i % 3 != 0, stdin=b"%d\n" % i)
        r = j.result()
        assert r["out"] == b"%d\n" % (i - 1) and bool(r["flags"] & FORKED) == ((i - 1) % 3 != 0 or i == 1), r
    assert j.result()["out"] == b"59\n"


@test
def is_killed_at_any_moment(j: Jail, grouped: bool) -> None:
    for ms in range(1, 12):
        r = python(j, "import os\nfor i in range(9):\n    if os.fork() == 0:\n        while True: pass\n"
                      "while True: pass", wall_ms=ms, processes=20)
        assert r["cause"] == "wall", r
    assert j.reset()["clean"]


@test
def does_not_grow(j: Jail, grouped: bool) -> None:
    pid = runtime_of(j, IMPORTS)
    for _ in range(50):
        python(j, "print(1)")
    before = size_of(pid)
    started = time.monotonic()
    for i in range(RUNS):
        assert python(j, "import json\nx = [[] for _ in range(1000)]\nprint(%d)" % i)["out"] == b"%d\n" % i
    took = time.monotonic() - started
    after = size_of(pid)
    print("     %d runs, %.2f ms each; runtime %s KiB, descriptors, then %s" % (RUNS, took / RUNS * 1000, before, after))
    assert after[0] < before[0] + 512 and after[1] == before[1], (before, after)


@test
def says_when_its_runtime_has_died(j: Jail, grouped: bool) -> None:
    long = "import time; time.sleep(5)"
    for text, imports, flags in [("", IMPORTS, WARM), (long, IMPORTS, WARM), ("", LIGHT_IMPORTS, WARM | LIGHT), (long, LIGHT_IMPORTS, WARM)]:
        jail = shared.LAUNCHER.jail()  # type: ignore[union-attr]
        if text:
            submit(jail, text, flags=flags)
            time.sleep(0.1 * SLACK)
        os.kill(runtime_of(jail, imports), signal.SIGKILL)
        try:
            if not text:
                jail.send(frame(wire.RESET, 0, 0))
                time.sleep(0.1 * SLACK)
                python(jail, "print(1)", flags=flags)
            else:
                jail.result()
            raise AssertionError("a run without its runtime")
        except JailGone as gone:
            assert "warm runtime" in str(gone) or "end of file" in str(gone), gone
        except (BrokenPipeError, ConnectionResetError):
            pass
        jail.close()


if __name__ == "__main__":
    sys.exit(shared.main(RUNTIME))
