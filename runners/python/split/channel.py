"""Frames over two descriptors: four bytes of length, then the body. Moves the process's own streams out of the way first,
so that nothing that is printed can be taken for a frame."""

from __future__ import annotations

import _thread
import os
import struct
from typing import Tuple

FRAME_MAX = 64 << 20


class Closed(Exception):
    """The other side has gone, or sent more than a frame may be."""


def take_streams() -> Tuple[int, int]:
    """Private copies of descriptors 0 and 1. Reading 0 then finds the end, what is written to 1 goes to 2."""
    reader, writer = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    return reader, writer


class Channel:
    def __init__(self, reader: int, writer: int) -> None:
        self.reader = reader
        self.writer = writer
        self.buffer = bytearray()
        self.held = b""
        # Tests may have threads.
        self.lock = _thread.RLock()

    def send(self, body: bytes) -> None:
        with self.lock:
            data, self.held = self.held + struct.pack(">I", len(body)) + body, b""
            write_all(self.writer, data)

    def hold(self, body: bytes) -> None:
        """Sent with the next frame."""
        with self.lock:
            self.held += struct.pack(">I", len(body)) + body

    def receive(self) -> bytes:
        size, = struct.unpack(">I", self.exactly(4))
        if size > FRAME_MAX:
            raise Closed("a frame of %d bytes" % size)
        return self.exactly(size)

    def exactly(self, size: int) -> bytes:
        while len(self.buffer) < size:
            data = os.read(self.reader, min(1 << 20, max(65536, size - len(self.buffer))))
            if not data:
                raise Closed("end of file")
            self.buffer += data
        taken = bytes(self.buffer[:size])
        del self.buffer[:size]
        return taken


def write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view):]
