import linecache
print(repr(linecache.getline(__file__, 1)), len(linecache.cache))
