#: {"limits": {"memory_mb": 64}}
x = bytearray(b"x") * (48 << 20)
print(len(x))
