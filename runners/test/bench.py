"""Microseconds per trivial run through the supervisor, beside bare fork, exec, pipes and wait of the same program.

`NSJAIL=path test/bench.py [none|v1]...`; prints p50 and p95, one after another and with the window of two.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from typing import List

from jail import BUILD, Launcher

RUNS = int(os.environ.get("RUNS", "1000"))
TRIVIAL = '#include <unistd.h>\nint main(void) { return write(1, "ok\\n", 3) != 3; }\n'
BARE = r'''
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	for (int i = 0; i < atoi(argv[2]); i++) {
		struct timespec a, b;
		int in[2], out[2], err[2], status;
		char text[64];
		clock_gettime(CLOCK_MONOTONIC, &a);
		if (pipe(in) || pipe(out) || pipe(err))
			return 1;
		pid_t pid = fork();
		if (pid == 0) {
			dup2(in[0], 0), dup2(out[1], 1), dup2(err[1], 2);
			close_range(3, ~0u, 0);
			execl(argv[1], argv[1], NULL);
			_exit(1);
		}
		close(in[0]), close(in[1]), close(out[1]), close(err[1]);
		while (read(out[0], text, sizeof text) > 0 || read(err[0], text, sizeof text) > 0)
			;
		close(out[0]), close(err[0]);
		waitpid(pid, &status, 0);
		clock_gettime(CLOCK_MONOTONIC, &b);
		printf("%ld\n", (b.tv_sec - a.tv_sec) * 1000000 + (b.tv_nsec - a.tv_nsec) / 1000);
	}
	return argc != 3;
}
'''


def show(name: str, us: List[float]) -> float:
    us.sort()
    p50 = us[len(us) // 2]
    print("%-24s p50 %5.0f us  p95 %5.0f us" % (name, p50, us[len(us) * 95 // 100]))
    return p50


def compile_text(directory: str, name: str, text: str) -> str:
    path = os.path.join(directory, name)
    with open(path + ".c", "w") as f:
        f.write(text)
    subprocess.run([os.environ.get("CC", "gcc"), "-O2", "-static", "-o", path, path + ".c"], check=True)
    return path


def main() -> int:
    if os.geteuid() or not os.path.exists(os.environ.get("NSJAIL", "")):
        print("*** NOT RUN: needs root and NSJAIL=path of nsjail ***")
        return 0
    with tempfile.TemporaryDirectory() as d:
        program = compile_text(d, "trivial", TRIVIAL)
        bare = subprocess.run([compile_text(d, "bare", BARE), program, str(RUNS)], check=True, stdout=subprocess.PIPE)
        base = show("bare", [float(x) for x in bare.stdout.split()])
        with open(program, "rb") as f:
            content = f.read()
    for back_end in sys.argv[1:] or ["none", "v1"]:
        launcher = Launcher(back_end)
        j = launcher.jail()
        j.file("main", content, executable=True)
        us = []
        for _ in range(RUNS):
            started = time.perf_counter()
            r = j.run(["/work/main"], cpu=1)
            us.append((time.perf_counter() - started) * 1e6)
            assert r["out"] == b"ok\n"
        p50 = show(back_end, us)
        started = time.perf_counter()
        j.submit(["/work/main"], cpu=1)
        for _ in range(RUNS - 1):
            j.submit(["/work/main"], cpu=1)
            j.result()
        j.result()
        print("%-24s mean %4.0f us  one by one %.2f x bare" % (
            back_end + ", window of two", (time.perf_counter() - started) * 1e6 / RUNS, p50 / base))
        j.close()
        launcher.close()
    print("built in " + os.path.abspath(BUILD))
    return 0


if __name__ == "__main__":
    sys.exit(main())
