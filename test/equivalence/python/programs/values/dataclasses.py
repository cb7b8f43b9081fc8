from dataclasses import dataclass, field, asdict
@dataclass(order=True, frozen=True)
class P:
    x: int
    y: list = field(default_factory=list, compare=False)
print(P(1), sorted([P(2), P(1)]), asdict(P(3)), hash(P(1)))
P(1).x = 2
