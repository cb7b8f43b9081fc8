#: {"limits": {"memory_mb": 64}}
x = bytearray(b"x") * (200 << 20)
print(len(x))
