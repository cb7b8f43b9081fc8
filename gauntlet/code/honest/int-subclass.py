# Honest: A right number of a type of its own.
# Expected: accepted.
class Number(int):
    pass


def add(x, y):
    return Number(x + y)
