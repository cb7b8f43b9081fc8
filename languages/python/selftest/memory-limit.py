# Keeps 4 MiB blocks of written memory until the limit. Expected: memory_limit.
blocks = []
while True:
    blocks.append(b"x" * (4 << 20))
