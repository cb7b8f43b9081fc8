def f(*args):
    raise LookupError


f(
    1,
    2,
)
