#: {"limits": {"output_kb": 16}}
while True:
    print('x' * 1000)
