# Prints for ever.
def add(x, y):
    while True:
        print("x" * 65536)
