from __future__ import annotations
from dataclasses import dataclass


@dataclass
class P:
    x: int
    y: Undefined = None


print(P(1), P.__annotations__, annotations)
