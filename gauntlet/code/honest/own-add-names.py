# Honest: Has helpers with the names of what tests use.
# Expected: accepted.
def check(x):
    return x


def setup():
    return None


def add(x, y):
    return check(x) + y
