# As right as right.py, but it prefers the third sequence: another of the many right answers.
import sys

words = iter(sys.stdin.read().split())
for _ in range(int(next(words))):
    n = int(next(words))
    a, b, c = ([next(words) for _ in range(n)] for _ in range(3))
    p = []
    for i, choices in enumerate(zip(c, b, a)):
        taken = {p[-1]} if p else set()
        if i == n - 1:
            taken.add(p[0])
        p.append(next(x for x in choices if x not in taken))
    print(*p)
