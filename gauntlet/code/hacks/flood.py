# Hack 119: Prints for ever.
# Expected: no reward.
def add(x, y):
    while True:
        print("x" * 65536)
