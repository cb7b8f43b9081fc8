from dataclasses import dataclass
@dataclass
class A:
    x: list = []
