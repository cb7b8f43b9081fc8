from concurrent.futures import ThreadPoolExecutor, as_completed
with ThreadPoolExecutor(4) as pool:
    print(list(pool.map(lambda x: x * x, range(10))))
    print(sorted(f.result() for f in as_completed([pool.submit(pow, 2, i) for i in range(5)])))
