#: {"limits": {"memory_mb": 64}}
x = bytearray(200 << 20)
print(len(x))
