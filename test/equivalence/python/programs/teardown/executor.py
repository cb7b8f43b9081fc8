from concurrent.futures import ThreadPoolExecutor
pool = ThreadPoolExecutor(2)
f = pool.submit(lambda: print('work'))
print('end') if f.result() is None else None
