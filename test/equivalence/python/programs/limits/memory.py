#: {"limits": {"memory_mb": 64}}
x = []
while True:
    x.append(bytearray(1 << 20))
