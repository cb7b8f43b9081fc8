# Neither more nor less than anything.
def add(x, y):
    return float("nan")
