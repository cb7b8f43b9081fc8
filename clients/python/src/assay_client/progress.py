"""A bar on a terminal, and nothing anywhere else."""

from __future__ import annotations

import sys
import time
from typing import Optional, TextIO

_WIDTH = 30
_EVERY_S = 0.1


class Progress:
    """Counts up to a total. `shown` None means: where standard error is a terminal."""

    def __init__(
        self, total: int, *, shown: Optional[bool] = None, stream: Optional[TextIO] = None
    ) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._shown = self._stream.isatty() if shown is None else shown
        self._total = total
        self._done = 0
        self._nulls = 0
        self._since = time.monotonic()
        self._drawn_at = 0.0

    def step(self, reward: Optional[float]) -> None:
        self._done += 1
        self._nulls += reward is None
        now = time.monotonic()
        if self._shown and (now - self._drawn_at >= _EVERY_S or self._done == self._total):
            self._drawn_at = now
            self._stream.write("\r" + self._line(now))
            self._stream.flush()

    def end(self) -> None:
        if self._shown and self._done > 0:
            self._stream.write("\n")
            self._stream.flush()

    def _line(self, now: float) -> str:
        full = _WIDTH * self._done // max(self._total, 1)
        rate = self._done / max(now - self._since, 1e-9)
        nulls = f", {self._nulls} without a reward" if self._nulls else ""
        bar = "#" * full + "." * (_WIDTH - full)
        return f"assay [{bar}] {self._done}/{self._total}, {rate:.0f}/s{nulls}"
