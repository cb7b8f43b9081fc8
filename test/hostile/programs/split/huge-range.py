# A value that is cheap to say and endless to look at.
def add(x, y):
    return range(10**18)
