# Returns text for a number.
def add(x, y):
    return str(x + y)
