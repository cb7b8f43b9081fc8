"""The bare limit of a warm Python: the same judge as plain.c, but each test is a fork of this interpreter.

    fork.py TESTS-FOLDER COUNT SOURCE MODULE...

Imports the modules once; then, for each line on stdin, compiles and runs SOURCE in a forked child per test, with
nothing around it: no namespaces, no limits, no clean-up. Answers with one line: 0 and the nanoseconds of all runs
together. Any failure or wrong output ends it with a message. Standard library only.
"""

import gc
import importlib
import os
import sys
import time
from typing import List, NoReturn, Tuple

Test = Tuple[bytes, bytes]


def read_file(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def become_run(source: str, stdin: int, stdout: int) -> NoReturn:
    """The child: what `python3 SOURCE` would execute, then out without the interpreter's own end."""
    os.dup2(stdin, 0)
    os.dup2(stdout, 1)
    scope = {"__name__": "__main__", "__builtins__": __builtins__}
    exec(compile(read_file(source), source, "exec"), scope)
    sys.stdout.flush()
    os._exit(0)


def run_test(source: str, test: Test) -> None:
    given, expected = test
    child_in, our_in = os.pipe()
    our_out, child_out = os.pipe()
    pid = os.fork()
    if pid == 0:
        # Its own copy of the writing end would keep its stdin from ending.
        os.close(our_in)
        os.close(our_out)
        try:
            become_run(source, child_in, child_out)
        finally:
            os._exit(1)
    os.close(child_in)
    os.close(child_out)
    # The input fits a pipe, so one write cannot block.
    os.write(our_in, given)
    os.close(our_in)
    printed = b""
    while True:
        part = os.read(our_out, 65536)
        if not part:
            break
        printed += part
    os.close(our_out)
    status = os.waitpid(pid, 0)[1]
    if status != 0 or printed != expected:
        sys.exit(f"{source}: wait status {status}, {len(printed)} bytes for {len(expected)}")


def main(arguments: List[str]) -> None:
    folder, count, source = arguments[0], int(arguments[1]), arguments[2]
    for name in arguments[3:]:
        importlib.import_module(name)
    tests = [(read_file(f"{folder}/{i}.in"), read_file(f"{folder}/{i}.out")) for i in range(count)]
    gc.collect()
    gc.freeze()
    # Not sys.stdin: the child's own must be untouched.
    while os.read(0, 1):
        since = time.perf_counter_ns()
        for test in tests:
            run_test(source, test)
        os.write(1, b"0 %d\n" % (time.perf_counter_ns() - since))


main(sys.argv[1:])
