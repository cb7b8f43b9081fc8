import multiprocessing as mp, time
p = mp.Process(target=time.sleep, args=(10,), daemon=True)
p.start()
print('end')
