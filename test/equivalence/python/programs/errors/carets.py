a = {'x': {'y': None}}
print(a['x']['y']['z'] + 1)
