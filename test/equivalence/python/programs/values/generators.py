def fib():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b
from itertools import islice
g = fib()
print(list(islice(g, 20)), g.gi_frame.f_lineno, g.gi_running)
