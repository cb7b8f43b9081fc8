d = {'b': 1, 'a': 2}
d['c'] = 3
del d['b']
d['b'] = 4
print(d, list(d), {**d, 'a': 9})
