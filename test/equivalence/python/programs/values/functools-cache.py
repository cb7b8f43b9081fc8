import functools, re, typing
print(re.compile.__module__, functools.lru_cache(None)(len).cache_info())
