# Has no such function.
def plus(x, y):
    return x + y
