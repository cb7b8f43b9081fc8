f = open(__file__)
print(f.readline(), end='')
g = open(__file__, 'rb')
h = open(__file__, 'rb', buffering=0)
