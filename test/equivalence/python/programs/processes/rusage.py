import resource
r = resource.getrusage(resource.RUSAGE_SELF)
print(r.ru_maxrss > 1000, r.ru_utime < 5, r.ru_nswap, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime)
