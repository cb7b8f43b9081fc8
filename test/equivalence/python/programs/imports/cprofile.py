import cProfile, pstats, io
p = cProfile.Profile()
p.runcall(sum, range(100))
s = io.StringIO()
print(pstats.Stats(p, stream=s).total_calls)
