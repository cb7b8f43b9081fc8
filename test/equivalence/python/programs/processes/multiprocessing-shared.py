import multiprocessing as mp
def work(v, a):
    with v.get_lock():
        v.value += 1
    a[0] = 9
v = mp.Value('i', 1); a = mp.Array('i', [1, 2])
p = mp.Process(target=work, args=(v, a)); p.start(); p.join()
print(v.value, a[:])
