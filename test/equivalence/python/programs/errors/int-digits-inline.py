x = 10 ** 5000
print(f'{x}')
