# How: one allocation of more than the limit, all of it written.
# Expected: memory_limit, not a MemoryError.
data = bytearray(b"x" * 500_000_000)
print(len(data))
