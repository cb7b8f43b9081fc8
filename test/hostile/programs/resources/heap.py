# How: a list that grows without end.
# Expected: memory_limit.
kept = []
while True:
    kept.append(bytearray(1 << 20))
