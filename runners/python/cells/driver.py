"""Runs cells one after the other in one namespace, as a notebook does, and tells what each printed, showed and raised.

The program of a run of its own. Standard input holds one JSON document: `mark` (a text that no cell knows), `cells`,
`timeouts` (seconds of wall time of each, or null) and `main` (null, or the base64 of a caller's file that has the
name of this one). Cells write to the run's own streams; what belongs to which cell tell records between their output: the
mark, a JSON object and a line end. Both streams have {"cell": n} before cell n and {"end": n} after it, standard output
with `displays` and `error` besides. Cells could forge records, but only about themselves: there is no verdict in them.
"""

import ast
import base64
import io
import json
import linecache
import os
import select
import signal
import sys
import time
import traceback
from types import CodeType
from typing import Any, Dict, List, Optional

# How long a cell may go on after its time-out before the process is killed, seconds.
GRACE = 1.0
TIMEOUT_SIGNAL = signal.SIGRTMAX
# What an object offers besides its text, as notebooks know it.
RICH = (
    ("_repr_html_", "text/html"),
    ("_repr_markdown_", "text/markdown"),
    ("_repr_svg_", "image/svg+xml"),
    ("_repr_latex_", "text/latex"),
    ("_repr_javascript_", "application/javascript"),
    ("_repr_png_", "image/png"),
    ("_repr_jpeg_", "image/jpeg"),
    ("_repr_pdf_", "application/pdf"),
)


class CellTimeoutError(KeyboardInterrupt):
    """The cell took longer than it may. No error that code usually catches."""


class Driver:
    def __init__(self, document: Dict[str, Any], namespace: Dict[str, Any]) -> None:
        self.mark = document["mark"]
        self.timeouts: Optional[List[float]] = document["timeouts"]
        self.timeout = 0.0
        self.namespace = namespace
        self.pid = os.getpid()
        self.streams = [os.dup(1), os.dup(2)]
        self.clock = -1
        self.may_interrupt = False
        self.displays: List[Dict[str, Any]] = []
        self.loop: Any = None

    def run(self, cells: List[str]) -> None:
        if self.timeouts is not None:
            self.clock = watch(self.pid)
            signal.signal(TIMEOUT_SIGNAL, self.interrupt)
        for number, text in enumerate(cells):
            self.begin(number)
            if self.timeouts is not None:
                self.timeout = self.timeouts[number]
            error = self.execute(text, "<cell %d>" % (number + 1))
            self.end(number, error)

    def begin(self, number: int) -> None:
        self.displays = []
        for target, stream in enumerate(self.streams, 1):
            # A cell may have closed or moved it.
            os.dup2(stream, target)
            self.record(stream, {"cell": number})
        for name, descriptor in (("stdout", 1), ("stderr", 2)):
            current = getattr(sys, name)
            if current is None or getattr(current, "closed", False):
                fresh = io.TextIOWrapper(io.FileIO(descriptor, "w", closefd=False), "utf-8", write_through=True)
                setattr(sys, name, fresh)

    def end(self, number: int, error: Optional[Dict[str, Any]]) -> None:
        flush()
        if os.getpid() != self.pid:
            # A child that a cell made and that came back from it.
            os._exit(0 if error is None else 1)
        self.record(self.streams[1], {"end": number})
        self.record(self.streams[0], {"end": number, "displays": self.displays, "error": error})

    def record(self, stream: int, content: Dict[str, Any]) -> None:
        data = memoryview((self.mark + json.dumps(content) + "\n").encode())
        while data:
            data = data[os.write(stream, data):]

    def execute(self, text: str, name: str) -> Optional[Dict[str, Any]]:
        try:
            try:
                self.tell_clock(self.timeout)
                self.may_interrupt = True
                value = self.evaluate(cell_text(text), name)
                if value is not None:
                    self.namespace["_"] = value
                    self.show(value, is_result=True)
            finally:
                self.may_interrupt = False
                self.tell_clock(0)
        except BaseException as error:
            return describe(error)
        return None

    def evaluate(self, text: str, name: str) -> Any:
        """The value of the last expression; None where the cell ends otherwise, or in a semicolon."""
        lines = text.splitlines(keepends=True)
        linecache.cache[name] = (len(text), None, lines, name)
        tree = compile(text, name, "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, True)
        last = tree.body[-1] if tree.body else None
        if not isinstance(last, ast.Expr):
            self.perform(tree, name, "exec")
            return None
        tree.body.pop()
        self.perform(tree, name, "exec")
        value = self.perform(ast.Expression(last.value), name, "eval")
        return None if is_silenced(text, last) else value

    def perform(self, tree: ast.AST, name: str, mode: str) -> Any:
        code: CodeType = compile(tree, name, mode, ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, True)  # type: ignore[call-overload]
        value = eval(code, self.namespace)
        if not code.co_flags & 0x80:  # inspect.CO_COROUTINE: the cell awaits something
            return value
        if self.loop is None:
            import asyncio

            self.loop = asyncio.new_event_loop()
            asyncio.set_event_loop(self.loop)
        return self.loop.run_until_complete(value)

    def show(self, value: Any, is_result: bool) -> None:
        self.displays.append({"result": is_result, "data": representations(value)})

    def display(self, *values: Any, **_options: Any) -> None:
        """What notebooks call display()."""
        for value in values:
            self.show(value, is_result=False)

    def tell_clock(self, seconds: float) -> None:
        if self.clock != -1:
            os.write(self.clock, b"%d\n" % (seconds * 1000))

    def interrupt(self, _signal: int, _frame: Any) -> None:
        # Once: what goes on all the same is killed.
        if self.may_interrupt and os.getpid() == self.pid:
            self.may_interrupt = False
            raise CellTimeoutError("the cell took longer than %g s" % self.timeout)


def watch(target: int) -> int:
    """Where to write a line when a cell begins, with how long it may take in ms, and 0 when it ends. A process apart, since
    code may keep this one from noticing anything; nobody's child, so that no cell that waits for its children waits for
    it."""
    reader, writer = os.pipe()
    child = os.fork()
    if child != 0:
        os.close(reader)
        os.waitpid(child, 0)
        return writer
    if os.fork() != 0:
        os._exit(0)
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(64):
        if descriptor not in (reader, null):
            try:
                os.dup2(null, descriptor) if descriptor <= 2 else os.close(descriptor)
            except OSError:
                pass
    try:
        keep_time(reader, target)
    finally:
        os._exit(0)


def keep_time(reader: int, target: int) -> None:
    deadline: Optional[float] = None
    is_warned = False
    while True:
        left = None if deadline is None else max(0.0, deadline - time.monotonic())
        if select.select([reader], [], [], left)[0]:
            # All that a pipe holds, so never a part of a line.
            lines = os.read(reader, 1 << 16).split()
            if not lines:
                return
            allowed = int(lines[-1]) / 1000
            deadline = time.monotonic() + allowed if allowed > 0 else None
            is_warned = False
        elif deadline is not None:
            os.kill(target, signal.SIGKILL if is_warned else TIMEOUT_SIGNAL)
            is_warned, deadline = True, time.monotonic() + GRACE


def cell_text(text: str) -> str:
    """Without blank lines before it, and without the indentation that its first line has."""
    lines = text.splitlines(keepends=True)
    while lines and not lines[0].strip():
        lines.pop(0)
    if not lines:
        return ""
    indent = lines[0][:len(lines[0]) - len(lines[0].lstrip(" \t"))]
    return "".join(line[len(indent):] if indent and line.startswith(indent) else line for line in lines)


def is_silenced(text: str, last: ast.Expr) -> bool:
    """Whether a semicolon follows the last expression."""
    line = text.splitlines()[(last.end_lineno or 1) - 1].encode()
    return line[last.end_col_offset or 0:].lstrip(b" \t)").startswith(b";")


def representations(value: Any) -> Dict[str, str]:
    data = {"text/plain": safe_text(repr, value)}
    for name, mime in RICH:
        try:
            method = getattr(type(value), name, None)
            made = None if method is None else method(value)
            # Some give metadata besides.
            made = made[0] if isinstance(made, tuple) and made else made
            if isinstance(made, bytes):
                made = base64.b64encode(made).decode()
            if isinstance(made, str):
                data[mime] = str(made)
        except Exception:
            continue
    return data


def safe_text(make: Any, value: Any) -> str:
    try:
        return str(make(value))
    except Exception as error:
        return "<%s of %s failed: %s>" % (make.__name__, type(value).__name__, type(error).__name__)


def describe(error: BaseException) -> Dict[str, Any]:
    """As notebooks have it: name, text, and the lines of the traceback from the cell on."""
    trace = error.__traceback__
    while trace is not None and not trace.tb_frame.f_code.co_filename.startswith("<cell "):
        trace = trace.tb_next
    try:
        text = "".join(traceback.format_exception(type(error), error, trace))
    except Exception as failure:
        text = "%s: no traceback: %s\n" % (type(error).__name__, type(failure).__name__)
    return {
        "name": type(error).__name__,
        "value": safe_text(str, error),
        "traceback": text.splitlines(),
    }


def flush() -> None:
    for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
        try:
            if stream is not None:
                stream.flush()
        except Exception:
            continue


def main(namespace: Dict[str, Any]) -> None:
    document = json.loads(sys.stdin.buffer.read())
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    # A notebook has no file, and its namespace nothing of ours.
    own = namespace.pop("__file__")
    for name in ("__cached__", "assay"):
        namespace.pop(name, None)
    if document["main"] is None:
        os.unlink(own)
    else:
        with open(own, "wb") as file:
            file.write(base64.b64decode(document["main"]))
    for stream in (sys.stdout, sys.stderr):
        # What a cell prints is there when the process is killed.
        stream.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    driver = Driver(document, namespace)
    namespace["display"] = driver.display
    driver.run(document["cells"])
    # Threads and exit handlers that cells left behind end here, as they do when a kernel is shut down.
    os._exit(0)
