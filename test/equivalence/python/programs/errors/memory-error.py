try:
    x = bytearray(2 ** 62)
except MemoryError as e:
    print('memory', e)
[0] * 2 ** 60
