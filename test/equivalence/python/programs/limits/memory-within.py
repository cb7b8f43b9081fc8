#: {"limits": {"memory_mb": 64}}
x = bytearray(40 << 20)
print(len(x))
