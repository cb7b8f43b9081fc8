import multiprocessing as mp
mp.set_start_method('spawn')
p = mp.Process(target=print, args=(1,))
p.start()
p.join()
print(p.exitcode)
