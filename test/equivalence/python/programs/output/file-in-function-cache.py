#: {"collect": ["out.txt"]}
import functools
@functools.lru_cache(None)
def get():
    f = open('out.txt', 'w')
    f.write('kept by a cache')
    return f
get()
