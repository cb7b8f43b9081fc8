# A number of many digits.
def add(x, y):
    return 1 << 80_000_000
