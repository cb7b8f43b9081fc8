#: {"limits": {"cpu_ms": 300, "wall_ms": 20000}}
print('spinning', flush=True)
while True:
    pass
