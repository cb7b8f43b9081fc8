#: {"limits": {"memory_mb": 64}}
x = bytearray(b"x") * (40 << 20)
print(len(x))
