import multiprocessing as mp, sys
def work(): sys.exit(5)
p = mp.Process(target=work)
p.start(); p.join()
print(p.exitcode)
def crash(): raise KeyError('c')
p = mp.Process(target=crash, name='crasher')
p.start(); p.join()
print(p.exitcode)
