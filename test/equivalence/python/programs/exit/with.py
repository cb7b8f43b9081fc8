from contextlib import contextmanager
@contextmanager
def c():
    print('in')
    try:
        yield
    finally:
        print('out')
with c():
    exit(3)
