import multiprocessing as mp
print('loading', __name__, flush=True)
def work(q, n): q.put((n * n, __name__))
if __name__ == '__main__':
    mp.set_start_method('spawn')
    q = mp.Queue()
    p = mp.Process(target=work, args=(q, 7))
    p.start()
    print(q.get())
    p.join()
    print(p.exitcode)
