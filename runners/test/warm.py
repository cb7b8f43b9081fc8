"""What the tests of warm runtimes share: programs forked from one, against the same programs executed, in a real jail through
the real supervisor, on every back end of this host.

Needs root and NSJAIL=path. Standard library only, Python 3.9.
"""

from __future__ import annotations

import os
import sys
import time
import traceback
from typing import Any, Callable, Dict, List, Optional, Sequence

import jail as wire
from jail import SLACK, Jail, Launcher

WARM, LIGHT, FORKED = 4, 16, 64
RUNS = int(os.environ.get("RUNS", "400"))
TESTS: List[Callable[..., None]] = []


def test(function: Callable[..., None]) -> Callable[..., None]:
    TESTS.append(function)
    return function


def options(warm: bool, env: List[str], o: Dict[str, Any]) -> Dict[str, Any]:
    times = {key: int(o[key] * SLACK) for key in ("cpu_ms", "wall_ms") if key in o}
    return {"env": env, "flags": WARM if warm else 0, **o, **times}


def end_of(r: Dict[str, Any]) -> Dict[str, Any]:
    end = {key: r[key] for key in ("cause", "exit_code", "signal", "start_errno", "out", "err", "stdout_bytes")}
    if r["cause"] == "output":  # How far a flood came is a matter of time.
        del end["out"], end["stdout_bytes"]
    return end


LAUNCHER: Optional[Launcher] = None


def status_of(pid: str, field: str) -> List[str]:
    with open("/proc/%s/status" % pid) as f:
        return f.read().split("\n%s:" % field)[1].split("\n")[0].split()


def is_ours(pid: str) -> bool:
    """Other services on this machine have jails of the same names."""
    while pid not in ("0", "1"):
        pid = status_of(pid, "PPid")[0]
        if LAUNCHER and pid == str(LAUNCHER.process.pid):
            return True
    return False


def runtime_of(j: Jail, imports: str = "") -> int:
    """Its pid here: the supervisor's child one namespace below, with this setting in its environment."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/environ" % pid, "rb") as f:
                if b"ASSAY_WARM_IMPORTS=%s\0" % imports.encode() not in f.read():
                    continue
            with open("/proc/%s/cmdline" % status_of(pid, "PPid")[0], "rb") as f:
                named = b"\0%s\0" % j.name.encode() in f.read()
            if named and len(status_of(pid, "NSpid")) == 2 and is_ours(pid):
                return int(pid)
        except OSError:
            continue
    raise AssertionError("no runtime of " + j.name)


def size_of(pid: int) -> List[int]:
    with open("/proc/%d/status" % pid) as f:
        resident = int(f.read().split("VmRSS:")[1].split()[0])
    return [resident, len(os.listdir("/proc/%d/fd" % pid))]


def on_one_jail(runtime: wire.Runtime, back_end: str, own_uid: bool, word: str) -> int:
    global LAUNCHER
    failed = 0
    title = "%-4s %s" % (back_end, "own uid" if own_uid else "one uid")
    LAUNCHER = launcher = Launcher(back_end, own_uid, warm=runtime)
    j = launcher.jail()
    assert j.features & 64, "no warm runtime"
    for function in TESTS:
        name = function.__name__.replace("_", " ")
        if word not in name:
            continue
        try:
            started = time.monotonic()
            assert j.reset()["clean"]
            function(j, back_end != "none")
            print("ok   %s %s (%.2f s)" % (title, name, time.monotonic() - started), flush=True)
        except Exception:
            failed += 1
            print("FAIL %s %s" % (title, name), flush=True)
            traceback.print_exc()
            j.close()
            j = launcher.jail()
    clean = j.reset()
    if not clean["clean"] or clean["fds"] != j.fds or clean["mounts"] != j.mounts or clean["processes"] != j.processes:
        failed += 1
        print("FAIL %s not clean at the end: %r" % (title, clean))
    j.close()
    assert launcher.close() == 0
    return failed


def main(runtime: wire.Runtime, own_uids: Sequence[bool] = (True, False)) -> int:
    words = sys.argv[1:]
    word = words[words.index("-k") + 1] if "-k" in words else ""
    program = runtime.mounts.get(runtime.argv[0], runtime.argv[0])
    if os.geteuid() != 0 or not os.path.exists(os.environ.get("NSJAIL", "")):
        print("*** NOT RUN: the tests of the warm runtime need root and NSJAIL=path of nsjail ***")
        return 0
    if not os.path.exists(program):
        print("*** NOT RUN: the tests of the warm runtime need %s ***" % program)
        return 0
    back_ends = [w for w in words if w in ("none", "v1", "v2")] or ["none", "v1", "v2"]
    for back_end, path in [("v1", "memory/memory.limit_in_bytes"), ("v2", "cgroup.controllers")]:
        if back_end in back_ends and not os.path.exists("/sys/fs/cgroup/" + path):
            print("*** NOT RUN on cgroup %s: this host has none ***" % back_end)
            back_ends.remove(back_end)
    # One of the two alone, where a machine is slow.
    only = [u for u in own_uids if ("own-uid" if u else "one-uid") in words] or own_uids
    failed = sum(on_one_jail(runtime, back_end, own_uid, word) for back_end in back_ends for own_uid in only)
    print("%d failed" % failed)
    return 1 if failed else 0

