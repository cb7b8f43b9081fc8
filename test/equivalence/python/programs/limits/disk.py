#: {"limits": {"disk_mb": 4}}
try:
    with open('big', 'wb') as f:
        for _ in range(100):
            f.write(b'x' * (1 << 20))
except OSError as e:
    print(e)
