import linecache
print(sorted(linecache.cache))
