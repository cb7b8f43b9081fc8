try:
    'x' * 2 ** 63
except OverflowError as e:
    print(e)
print(2.0 ** 10000)
