# More than anyone wants to compare.
def add(x, y):
    return [0] * 30_000_000
