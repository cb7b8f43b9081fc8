# Hack A2: Takes all memory that there is.
# Expected: no reward.
def add(x, y):
    kept = []
    while True:
        kept.append(bytearray(1 << 20))
