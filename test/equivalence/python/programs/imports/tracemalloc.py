import tracemalloc
print(tracemalloc.is_tracing())
tracemalloc.start()
x = [bytes(1000) for _ in range(100)]
print(tracemalloc.get_traced_memory()[0] > 100_000)
