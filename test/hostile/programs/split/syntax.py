# Is no Python.
def add(x, y)
    return x + y
