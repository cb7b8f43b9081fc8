# The first value that differs from the one before; the last also differs from the first.
import sys

words = iter(sys.stdin.read().split())
for _ in range(int(next(words))):
    n = int(next(words))
    a, b, c = ([next(words) for _ in range(n)] for _ in range(3))
    p = []
    for i, choices in enumerate(zip(a, b, c)):
        taken = {p[-1]} if p else set()
        if i == n - 1:
            taken.add(p[0])
        p.append(next(x for x in choices if x not in taken))
    print(*p)
