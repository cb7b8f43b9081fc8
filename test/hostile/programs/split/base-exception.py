# Unwinds whatever catches only Exception.
def add(x, y):
    raise BaseException("x")
