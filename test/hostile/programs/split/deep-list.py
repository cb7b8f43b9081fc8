# A list in a list in a list.
def add(x, y):
    value = []
    for _ in range(100_000):
        value = [value]
    return value
