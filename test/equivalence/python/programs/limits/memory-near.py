#: {"limits": {"memory_mb": 64}}
x = bytearray(48 << 20)
print(len(x))
